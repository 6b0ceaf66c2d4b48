<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** A directory that goes when this process ends, by exit() in a signal handler too. A forked child leaves it alone. */
final readonly class Scratch
{
    private function __construct(public string $path) {}

    public static function in(string $parent, string $name): self
    {
        $scratch = new self($parent . '/' . $name . '-' . bin2hex(random_bytes(6)));
        if (!mkdir($scratch->path)) {
            throw ServerFailed::because('cannot make the directory ' . $scratch->path);
        }
        $owner = getmypid();
        register_shutdown_function(static function () use ($scratch, $owner): void {
            if (getmypid() === $owner) {
                $scratch->remove();
            }
        });

        return $scratch;
    }

    public function remove(): void
    {
        exec('rm -rf ' . escapeshellarg($this->path));
    }
}
