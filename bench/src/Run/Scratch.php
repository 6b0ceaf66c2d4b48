<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Testbed\Server\Scratch as Directory;

/**
 * The run's directory: short, since a unix socket's name may have 107 bytes, and open to the accounts that servers run
 * as.
 */
final readonly class Scratch
{
    private function __construct(
        public string $path,
        private Directory $directory,
    ) {}

    public static function in(string $parent): self
    {
        $directory = Directory::in($parent, 'lb');
        chmod($directory->path, 0o755);

        return new self($directory->path, $directory);
    }

    public function remove(): void
    {
        $this->directory->remove();
    }
}
