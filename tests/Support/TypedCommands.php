<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Symfony\Component\Process\Process;

/** A shell that types the commands of a page of docs. Composer gets all of this checkout, and asks nobody. */
final class TypedCommands
{
    private const ROOT = __DIR__ . '/../..';

    /** Looks for a process to end: 10 s at most. */
    private const LOOKS = 1000;

    /** Functions and variables that the shell has by now. */
    private string $prelude = '';

    /** @var array<string, string> */
    private readonly array $environment;

    /**
     * @param string                $home for Composer; exists
     * @param string                $path where the commands are typed; exists
     * @param array<string, string> $here what the page says, and what it is here
     */
    public function __construct(
        string $home,
        private readonly string $path,
        public array $here,
    ) {
        $installed = json_decode((string) file_get_contents(self::ROOT . '/vendor/composer/installed.json'), true);
        $packages = \is_array($installed) && \is_array($installed['packages']) ? $installed['packages'] : [];
        mkdir($home . '/composer');
        file_put_contents($home . '/composer/config.json', json_encode(['repositories' => [
            [
                'type' => 'path',
                'url' => realpath(self::ROOT) . '/vendor/*/*',
                'options' => ['symlink' => false, 'versions' => array_column($packages, 'version', 'name')],
            ],
            ['packagist.org' => false],
        ]], JSON_THROW_ON_ERROR));
        $this->environment = [
            'COMPOSER_ALLOW_SUPERUSER' => '1',
            'COMPOSER_CACHE_DIR' => '/dev/null',
            'COMPOSER_DISABLE_NETWORK' => '1',
            'COMPOSER_HOME' => $home . '/composer',
            'PATH' => \dirname(PHP_BINARY) . ':' . getenv('PATH') . ':/usr/sbin',
        ];
    }

    /** @return Process that has ended; its output may have the line ends of HTTP */
    public function type(string $command): Process
    {
        $line = strtr($command, $this->here);
        $process = new Process(
            ['bash', '-c', $this->prelude . $line],
            $this->path,
            $this->environment,
            timeout: 600,
        );
        $process->run();
        if (preg_match('~^(?:export |\w+\(\))~', $line) === 1) {
            $this->prelude .= "$line\n";
        }

        return $process;
    }

    /** @param string $directory with the files that name the processes of nginx and php-fpm, below $path */
    public function stop(string $directory): void
    {
        foreach (['nginx', 'php-fpm'] as $server) {
            $pid = (int) @file_get_contents("$this->path/$directory/$server.pid");
            if ($pid > 0 && posix_kill($pid, SIGTERM)) {
                for ($looks = 0; posix_kill($pid, 0) && $looks < self::LOOKS; ++$looks) {
                    usleep(10_000);
                }
            }
        }
    }
}
