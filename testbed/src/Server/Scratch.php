<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Larder\Testbed\TemporaryDirectory;

/** @deprecated use TemporaryDirectory */
final readonly class Scratch
{
    private function __construct(public string $path, private TemporaryDirectory $directory) {}

    public static function in(string $parent, string $name): self
    {
        $directory = new TemporaryDirectory($name, $parent);

        return new self($directory->path, $directory);
    }

    public function remove(): void
    {
        $this->directory->remove();
    }
}
