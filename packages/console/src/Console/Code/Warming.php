<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Closure;
use Larder\Code\Exception\CodeFailed;
use Larder\Code\Releases;
use Larder\Console\FastCgi;
use Larder\Console\Refused;
use RuntimeException;

/** @internal Asks php-fpm to compile the files of a release, some in each request, so that none takes long. */
final readonly class Warming
{
    private const FULL = 'OPcache did not take all: raise opcache.memory_consumption and '
        . 'opcache.max_accelerated_files so that two releases fit, and restart php-fpm';

    private const UNREADABLE = 'php-fpm\'s user may not read all files: let all read them where you push from, as by '
        . '"chmod -R a+rX", and push another release';

    private const SCRIPT = __DIR__ . '/../../../bin/warm.php';

    private function __construct(
        private Releases $releases,
        private string $release,
        private string $socket,
    ) {}

    public static function of(Releases $releases, string $release, string $socket): self
    {
        return new self($releases, $release, $socket);
    }

    /**
     * @param Closure(string, int, int): void $progress
     *
     * @throws Refused if nobody at the socket compiles
     */
    public function run(Closure $progress): Warmed
    {
        $script = $this->script();
        $compiled = $linked = $requests = $at = 0;
        $failed = [];
        $isFull = $isUnreadable = false;
        do {
            $said = $this->ask($script, $at);
            ++$requests;
            $error = $said['error'] ?? null;
            if (\is_string($error)) {
                throw Refused::because($error);
            }
            [$next, $all, $done] = array_map(
                static fn(string $name): int => \is_int($said[$name] ?? null) ? $said[$name] : 0,
                ['next', 'all', 'compiled'],
            );
            foreach (\is_array($said['failed'] ?? null) ? $said['failed'] : [] as $path => $reason) {
                $failed[(string) $path] = \is_string($reason) ? $reason : 'unknown reason';
            }
            if ($next <= $at && $at < $all) {
                throw Refused::because("php-fpm at {$this->socket} does not get beyond file $at of the release");
            }
            $isFull = ($said['full'] ?? false) === true;
            $isUnreadable = $isUnreadable || ($said['unreadable'] ?? false) === true;
            $compiled += $done;
            $linked += \is_int($said['linked'] ?? null) ? $said['linked'] : 0;
            $progress('warm', $next, $all);
            $at = $next;
        } while ($at < $all && !$isFull);

        return new Warmed($compiled, $linked, $requests, $failed, match (true) {
            $isFull => self::FULL,
            $isUnreadable => self::UNREADABLE,
            default => null,
        });
    }

    /** @return array<array-key, mixed> */
    private function ask(string $script, int $from): array
    {
        try {
            $answer = FastCgi::run($this->socket, $script, [
                'LARDER_CODE_LIST' => "{$this->releases->directory}/manifests/{$this->release}.list",
                'LARDER_CODE_DIRECTORY' => $this->releases->path($this->release),
                'LARDER_CODE_FROM' => (string) $from,
            ]);
        } catch (RuntimeException $failure) {
            throw Refused::because("php-fpm cannot be asked at {$this->socket}: {$failure->getMessage()}");
        }
        // What a file's fatal error writes to the log may stand before it.
        $json = strstr($answer, '{"');
        $said = json_decode($json === false ? '' : $json, true);

        return \is_array($said) ? $said : throw Refused::because(\sprintf(
            'php-fpm at %s did not run %s: %s',
            $this->socket,
            $script,
            $answer === '' ? 'it did not answer in time' : substr($answer, 0, 200),
        ));
    }

    /** Where php-fpm's user may read it, which a phar or a home directory need not be. */
    private function script(): string
    {
        $path = $this->releases->directory . '/warm.php';
        $wanted = (string) file_get_contents(self::SCRIPT);
        if (@file_get_contents($path) !== $wanted) {
            $fresh = $path . '.' . bin2hex(random_bytes(8));
            if (@file_put_contents($fresh, $wanted) === false || !@chmod($fresh, 0o644) || !@rename($fresh, $path)) {
                throw CodeFailed::during('write', $path);
            }
        }

        return $path;
    }
}
