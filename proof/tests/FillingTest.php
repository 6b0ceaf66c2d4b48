<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Memory\Filling;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\TestCase;

final class FillingTest extends TestCase
{
    public function testTheProcessesOfARunFindIt(): void
    {
        $directory = new TemporaryDirectory('larder-filling');
        try {
            self::assertNull(Filling::in($directory->path));
            (new Filling(3, 2))->write($directory->path);
            self::assertEquals(new Filling(3, 2), Filling::in($directory->path));
        } finally {
            $directory->remove();
        }
    }
}
