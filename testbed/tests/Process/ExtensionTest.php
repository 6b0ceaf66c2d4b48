<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Process;

use Larder\Testbed\Process\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Extension::class)]
final class ExtensionTest extends TestCase
{
    public function testAMissingExtensionIsSaid(): void
    {
        $this->expectExceptionMessage('There is no /nowhere/larder.so: tools/extension build release makes it.');
        Extension::at('/nowhere/larder.so');
    }

    public function testAFileThatIsNoExtensionIsSaid(): void
    {
        $this->expectExceptionMessage('PHP cannot load ' . __FILE__);
        Extension::at(__FILE__);
    }
}
