<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Code\Attacks;
use Larder\Proof\Code\CodeTorture;
use Larder\Proof\Code\FullDisk;
use Larder\Proof\Code\MissingGuard;
use Larder\Proof\Code\ServedCode;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(CodeTorture::class)]
#[CoversClass(Attacks::class)]
#[CoversClass(FullDisk::class)]
#[CoversClass(MissingGuard::class)]
#[CoversClass(ServedCode::class)]
final class CodeTortureTest extends TestCase
{
    /**
     * @param string           $guard that is taken away
     * @param non-empty-string $word  that a finding begins with
     */
    #[TestWith(['path', 'mixes'])]
    #[TestWith(['hash', 'tampered at'])]
    #[TestWith(['signature', 'signature at'])]
    #[TestWith(['number', 'replay at'])]
    #[TestWith(['part', 'killed at'])]
    public function testAGuardThatIsMissingIsMissed(string $guard, string $word): void
    {
        $found = Runs::found('code', '--releases=200', "--broken=$guard");
        if ($guard === 'path') {
            self::assertGreaterThan(0, $found['mixes']);

            return;
        }
        self::assertIsArray($found['wrong']);
        self::assertNotSame([], $found['wrong']);
        foreach ($found['wrong'] as $wrong) {
            self::assertIsString($wrong);
            self::assertStringStartsWith($word, $wrong);
        }
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
