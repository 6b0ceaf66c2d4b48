<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Answer;
use Larder\Exception\LarderException;
use Larder\Exception\PoolIsShared;
use Larder\Exception\SharedMemoryUnavailable;
use Larder\Exception\UnstorableValue;
use Larder\NearStore;
use Larder\Outcome;
use Larder\Store;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** The library's files say what the extension's stub says, word for word, and the extension was made from that stub. */
#[CoversNothing]
final class DeclarationsTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../../..';

    public function testTheLibraryDeclaresWhatTheStubDeclares(): void
    {
        $library = self::library();
        self::assertCount(18, (array) $library[Store::class]['methods']);
        self::assertSame(self::described('ext/larder.stub.php'), $library);
    }

    public function testTheExtensionDeclaresWhatTheLibraryDeclares(): void
    {
        $extension = Extension::process(['error_reporting' => '-1'], __DIR__ . '/describe.php');
        $extension->mustRun();

        self::assertSame(self::withoutComments(self::library()), self::withoutComments(self::decoded($extension)));
    }

    /** @return array<string, array<string, mixed>> */
    private static function library(): array
    {
        $files = [];
        foreach ([
            LarderException::class,
            PoolIsShared::class,
            SharedMemoryUnavailable::class,
            UnstorableValue::class,
            Outcome::class,
            Answer::class,
            Store::class,
            NearStore::class,
        ] as $name) {
            $files[] = 'packages/cache/src/' . strtr(substr($name, \strlen('Larder\\')), '\\', '/') . '.php';
        }
        $library = self::described(...$files);
        // It carries exceptions that the extension knows nothing of.
        $library[LarderException::class]['comment'] = self::described(
            'ext/larder.stub.php',
        )[LarderException::class]['comment'];

        return $library;
    }

    /** @return array<string, array<string, mixed>> */
    private static function described(string ...$files): array
    {
        $process = new Process([
            PHP_BINARY,
            '-n',
            '-d',
            'error_reporting=-1',
            __DIR__ . '/describe.php',
            ...array_map(static fn(string $file): string => self::ROOT . '/' . $file, array_values($files)),
        ]);
        $process->mustRun();

        return self::decoded($process);
    }

    /** @return array<string, array<string, mixed>> */
    private static function decoded(Process $process): array
    {
        $types = json_decode($process->getOutput(), true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($types);
        /** @var array<string, array<string, mixed>> $types */

        return $types;
    }

    private static function withoutComments(mixed $description): mixed
    {
        if (!\is_array($description)) {
            return $description;
        }
        unset($description['comment']);
        // A property's and a constant's first word is its comment.
        foreach (['properties', 'constants'] as $kind) {
            if (\is_array($description[$kind] ?? null)) {
                $description[$kind] = array_map(
                    static fn(mixed $words): mixed => \is_array($words) ? \array_slice($words, 1) : null,
                    $description[$kind],
                );
            }
        }

        return array_map(self::withoutComments(...), $description);
    }
}
