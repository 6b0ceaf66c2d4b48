<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Closure;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\TemporaryDirectory;
use Symfony\Component\Process\Process;

/** The site that a guide of docs/how-to shows in its blocks of PHP, on nginx and php-fpm. */
final readonly class GuideSite
{
    private const ROOT = __DIR__ . '/../..';

    private TemporaryDirectory $directory;

    public PhpFpm $php;

    public Nginx $nginx;

    /** @var list<string> files that the guide shows */
    public array $shown;

    /**
     * @param string                          $guide   name of its file
     * @param array<string, string>           $files   further ones, by name
     * @param (Closure(self): mixed)|null     $prepare before the deploy
     */
    public function __construct(string $guide, array $files = [], ?Closure $prepare = null)
    {
        $this->directory = new TemporaryDirectory('larder-guide');
        $path = $this->directory->path;
        preg_match_all(
            '~^```php\n// (\S+)\n(.+?)^```$~ms',
            (string) file_get_contents(self::ROOT . "/docs/how-to/$guide"),
            $blocks,
            PREG_SET_ORDER,
        );
        foreach (['public', 'var', 'var/data', 'vendor', 'php'] as $name) {
            mkdir("$path/$name");
        }
        mkdir("$path/php/tmp");
        $this->shown = array_column($blocks, 1);
        foreach ([...$files, ...array_column($blocks, 2, 1)] as $name => $code) {
            file_put_contents("$path/$name", "<?php\n" . $code);
        }
        $autoload = var_export(realpath(self::ROOT . '/vendor/autoload.php'), true);
        file_put_contents("$path/vendor/autoload.php", "<?php\nreturn require $autoload;\n");
        $prepare === null ? null : $prepare($this);
        $this->larder('deploy');
        $account = Account::ableToReach(__FILE__);
        $account->own("$path/var");
        $account->own("$path/php");
        $this->php = new PhpFpm("$path/php", $account, 2);
        $this->nginx = new Nginx("$path/nginx", fn(int $port): string => $this->larder(
            'nginx:config',
            "--listen=127.0.0.1:$port",
            '--php=' . $this->php->socket,
            "--whole=$path/nginx",
            ...($account->user === null ? [] : ["--user={$account->user}"]),
        ));
    }

    public function stop(): void
    {
        $this->nginx->stop();
        $this->php->stop();
        $this->directory->remove();
    }

    public function path(string $name): string
    {
        return $this->directory->path . '/' . $name;
    }

    public function larder(string $command, string ...$options): string
    {
        $larder = new Process(
            [PHP_BINARY, self::ROOT . '/packages/console/bin/larder', $command, ...$options],
            $this->directory->path,
        );

        return $larder->mustRun()->getOutput();
    }

    /** @param list<string> $headers */
    public function ask(string $uri, array $headers = []): Response
    {
        $connection = new Connection('127.0.0.1:' . $this->nginx->port());
        $answer = $connection->request($uri, $headers);
        $connection->close();

        return $answer ?? throw ServerFailed::because("$uri has no answer");
    }
}
