<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Torture\Code\Attacks;
use Larder\Torture\Code\CodeTorture;
use Larder\Torture\Code\FullDisk;
use Larder\Torture\Code\ServedCode;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

#[CoversClass(CodeTorture::class)]
#[CoversClass(Attacks::class)]
#[CoversClass(FullDisk::class)]
#[CoversClass(ServedCode::class)]
final class CodeTortureTest extends TestCase
{
    public function testEveryAttackIsTriedAndNothingIsMixed(): void
    {
        $torture = new Process(
            [PHP_BINARY, \dirname(__DIR__) . '/bin/torture', 'code', '--releases=31', '--format=json'],
            timeout: 240,
        );
        $torture->run();
        $found = json_decode($torture->getOutput(), true);
        self::assertIsArray($found, $torture->getOutput() . $torture->getErrorOutput());
        self::assertSame([31, 0, 0, []], [$found['releases'], $found['mixes'], $found['errors'], $found['wrong']]);
        self::assertIsArray($found['attacks']);
        self::assertCount(\count(Attacks::NAMES) + 1, $found['attacks']);
        self::assertNotContains('tampered 0', $found['attacks']);
    }

    public function testThePageOfAReleaseGivesItsNumberByEachOfItsFiles(): void
    {
        $files = ServedCode::files(7);
        self::assertCount(1 + ServedCode::PARTS, $files);
        foreach ($files as $bytes) {
            self::assertStringContainsString('7', $bytes);
        }
    }
}
