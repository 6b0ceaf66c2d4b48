<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Tests\Workload\Http\Fixture\HttpTestCase;
use Larder\Bench\Tests\Workload\Http\Fixture\PlainSteps;
use Larder\Bench\Workload\Http\ClientStep;
use PHPUnit\Framework\Attributes\DataProvider;

final class ClientStepTest extends HttpTestCase
{
    public function testIsDoneAsItWasWritten(): void
    {
        $order = new ClientStep($this->job([], [], 'array'), new PlainSteps());
        $path = $order->write();

        self::assertSame($path, $order->write());
        self::assertSame([200, 'ok'], ClientStep::read($path)->answer());
        self::assertSame([$path], glob($this->directory . '/*'));
    }

    public function testASubjectThatIsNotInTheCatalogueIsAnError(): void
    {
        [$status, $body] = ClientStep::read(
            (new ClientStep($this->job([], [], 'unheard-of'), new PlainSteps()))->write(),
        )->answer();

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
        $path = $forge((new ClientStep($this->job([], [], 'array'), new PlainSteps()))->write());

        $this->expectException(Failed::class);
        $this->expectExceptionMessage('no order of the bench');
        ClientStep::read($path);
    }

    public function testAnotherAccountsFileIsNoOrder(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('Only root can give a file away.');
        }
        $path = (new ClientStep($this->job([], [], 'array'), new PlainSteps()))->write();
        chown($path, 65_534);

        $this->expectException(Failed::class);
        ClientStep::read($path);
    }
}
