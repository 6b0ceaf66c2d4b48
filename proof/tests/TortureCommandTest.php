<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Closure;
use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Proof\TortureCommand;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Tester\CommandTester;

#[CoversClass(TortureCommand::class)]
#[CoversClass(Option::class)]
#[CoversClass(Run::class)]
#[CoversClass(Result::class)]
final class TortureCommandTest extends TestCase
{
    /** @return iterable<string, array{bool, bool, int}> */
    public static function results(): iterable
    {
        yield 'the promise held' => [true, true, 0];
        yield 'the promise is broken' => [false, true, 1];
        yield 'the promise is broken in a poor run' => [false, false, 1];
        yield 'too little happened' => [true, false, 2];
    }

    #[DataProvider('results')]
    public function testExitCodeAndLastLine(bool $clean, bool $rich, int $code): void
    {
        $tester = self::tester(
            static fn(): Result => new Result(['wrong' => 3], 'wrong: 3', $clean, $rich, 'Too poor.'),
        );
        self::assertSame($code, $tester->execute(['--seed' => '4'], ['capture_stderr_separately' => true]));
        self::assertSame("wrong                       3\nwrong: 3\n", $tester->getDisplay(true));
        self::assertSame("seed 4\n" . ($code === 2 ? "Too poor.\n" : ''), $tester->getErrorOutput(true));
    }

    /** @return iterable<string, array{array<string, mixed>, list<mixed>}> */
    public static function options(): iterable
    {
        yield 'none' => [[], [30, ['one', 'two'], '', '8M', [], false, null]];
        yield 'all' => [
            [
                '--seconds' => '2',
                '--stores' => 'two:two',
                '--without' => 'lease',
                '--size' => '9K',
                '--faults' => null,
                '--unsafe' => true,
                '--extension' => '/larder.so',
            ],
            [2, ['two'], 'lease', '9K', ['locked', 'freed'], true, '/larder.so'],
        ];
        yield 'some faults' => [['--faults' => 'a,b'], [30, ['one', 'two'], '', '8M', ['a', 'b'], false, null]];
    }

    /**
     * @param array<string, mixed> $options
     * @param list<mixed>          $expected
     */
    #[DataProvider('options')]
    public function testOptionsReachTheProgram(array $options, array $expected): void
    {
        $seen = [];
        $tester = self::tester(static function (Run $run) use (&$seen): Result {
            $seen = [
                $run->seconds(),
                $run->words('stores'),
                $run->text('without'),
                $run->text('size'),
                $run->words('faults'),
                $run->has('unsafe'),
                $run->extension(),
            ];

            return new Result([], '', true);
        });
        $tester->execute($options);
        self::assertSame($expected, $seen);
    }

    public function testJsonHasTheFiguresOnly(): void
    {
        $tester = self::tester(static fn(): Result => new Result(['findings' => ['a', 'b']], 'line', true));
        self::assertSame(0, $tester->execute(['--format' => 'json'], ['capture_stderr_separately' => true]));
        self::assertSame(['findings' => ['a', 'b']], json_decode($tester->getDisplay(), true));
    }

    /** @return iterable<string, array{string, string}> */
    public static function wrongValues(): iterable
    {
        yield 'too short a run' => ['--seconds', '1'];
        yield 'no number' => ['--seconds', '2.5'];
        yield 'an unknown store' => ['--stores', 'one:three'];
        yield 'no store' => ['--stores', ''];
        yield 'an unknown guard' => ['--without', 'all'];
        yield 'no size' => ['--size', '8 MB'];
        yield 'no seed' => ['--seed', 'x'];
        yield 'an unknown format' => ['--format', 'xml'];
    }

    #[DataProvider('wrongValues')]
    public function testAWrongValueIsRefusedWithTheUsage(string $option, string $value): void
    {
        $tester = self::tester(static fn(): Result => self::fail('The program ran.'));
        self::assertSame(2, $tester->execute([$option => $value], ['capture_stderr_separately' => true]));
        self::assertSame(
            'Usage: torture sample [--seconds=2..86400] [--seed=N] [--stores=one:two] [--without=lease|fence] '
                . '[--size=8M]'
                . ' [--faults=A,B] [--unsafe] [--extension=FILE] [--format=txt|json]',
            trim($tester->getErrorOutput()),
        );
    }

    /** @param Closure(Run): Result $run */
    private static function tester(Closure $run): CommandTester
    {
        return new CommandTester(new TortureCommand(new class ($run) implements Torture {
            /** @param Closure(Run): Result $run */
            public function __construct(private readonly Closure $run) {}

            public function about(): About
            {
                return new About('sample', 'A sample', 'Help', [
                    Option::seconds(2),
                    Option::seed(),
                    Option::several('stores', 'Stores', ['one', 'two']),
                    Option::choice('without', 'Guard', ['lease', 'fence']),
                    Option::text('size', 'Size', '/^\d+[KMG]?$/D', '8M', '8M'),
                    Option::list('faults', 'Faults', ['locked', 'freed']),
                    Option::flag('unsafe', 'Unsafe'),
                    Option::extension(),
                ]);
            }

            public function run(Run $run): Result
            {
                return ($this->run)($run);
            }
        }));
    }
}
