<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Tests\Workload\Http\Fixture\HttpTestCase;
use Larder\Bench\Tests\Workload\Http\Fixture\PlainSteps;
use Larder\Bench\Workload\Http\ClientTargets;
use PHPUnit\Framework\Attributes\DataProvider;

final class ClientStepTest extends HttpTestCase
{
    public function testIsDoneAsItWasWritten(): void
    {
        $job = $this->job([], [], 'array');
        $path = ClientTargets::write($job, new PlainSteps());

        self::assertSame($path, ClientTargets::write($job, new PlainSteps()));
        self::assertSame([200, 'ok'], ClientTargets::answer($path));
        self::assertSame([$path], glob($this->directory . '/*'));
    }

    public function testASubjectThatIsNotInTheCatalogueIsAnError(): void
    {
        [$status, $body] = ClientTargets::answer(
            ClientTargets::write($this->job([], [], 'unheard-of'), new PlainSteps()),
        );

        self::assertSame(500, $status);
        self::assertStringContainsString('unheard-of', $body);
    }

    /** @return iterable<string, array{\Closure(string): string}> */
    public static function forgeries(): iterable
    {
        yield 'not there' => [static fn(string $path): string => substr($path, 0, -4) . 'ffff'];
        yield 'another name' => [static function (string $path): string {
            rename($path, $path . '.txt');

            return $path . '.txt';
        }];
        yield 'a way around' => [
            static fn(string $path): string => \dirname($path) . '/../' . basename(\dirname($path)) . '/'
                . basename($path),
        ];
        yield 'a link' => [static function (string $path): string {
            symlink($path, \dirname($path) . '/order-0123456789abcdef');

            return \dirname($path) . '/order-0123456789abcdef';
        }];
        yield 'others may write it' => [static function (string $path): string {
            chmod($path, 0o666);

            return $path;
        }];
        yield 'no operations' => [static function (string $path): string {
            file_put_contents($path, "ArrayObject\n" . serialize(new \ArrayObject()));

            return $path;
        }];
        yield 'no order' => [static function (string $path): string {
            file_put_contents($path, PlainSteps::class . "\n" . serialize([1, new PlainSteps()]));

            return $path;
        }];
        yield 'nothing' => [static fn(): string => ''];
    }

    /** @param \Closure(string): string $forge */
    #[DataProvider('forgeries')]
    public function testNothingElseIsDone(\Closure $forge): void
    {
        $path = $forge(ClientTargets::write($this->job([], [], 'array'), new PlainSteps()));

        $this->expectException(Failed::class);
        $this->expectExceptionMessage('no order of the bench');
        ClientTargets::answer($path);
    }

    public function testAnotherAccountsFileIsNoOrder(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('Only root can give a file away.');
        }
        $path = ClientTargets::write($this->job([], [], 'array'), new PlainSteps());
        chown($path, 65_534);

        $this->expectException(Failed::class);
        ClientTargets::answer($path);
    }
}
