<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Closure;
use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Tests\Support\Sql\Choices;
use Throwable;

/** Fuzzes the parsers of the logs that `larder follow` reads. */
final class LogsTorture implements Torture
{
    /** Executions with one log at most. */
    private const EACH = 40;

    private const TELL = 200_000;

    private const ENOUGH = 20;

    public function about(): About
    {
        return new About(
            'logs',
            'Gives random and damaged logs to the parsers of the follower, and counts what they miss',
            <<<'HELP'
            Example: <info>script/torture logs --log=mariadb --executions=10000000 --seed=1</info>

            Logs are made from random changes with hostile values, names and statements. Of a whole log a parser has
            to give exactly these changes. Then lines are taken away, doubled and put between, texts are cut, bytes
            are changed, and lines are random: a parser may throw LogUnreadable or end more than changed, but of a
            transaction that it says is over it may miss nothing. Nothing else may be thrown, and memory is bounded.
            The exit code is 1 if anything is wrong; then the text is printed. CorpusTest does the same to the logs of
            the installed servers.
            HELP,
            [
                Option::choice('log', 'Whose parser', ['mariadb', 'postgresql'], 'mariadb'),
                Option::number('executions', 'Texts that are parsed', 1, 1_000_000_000, 100_000),
                Option::seed(),
            ],
        );
    }

    public function run(Run $run): Result
    {
        [$executions, $seed] = [$run->number('executions'), $run->seed()];
        $choices = new Choices($seed);
        $damaged = new DamagedText($choices);
        [$next, $try] = $run->text('log') === 'mariadb' ? self::binlog($choices) : self::decoding($choices);
        $text = $last = '';
        $damages = Damage::cases();
        $counts = array_fill_keys(array_column($damages, 'value'), 0);
        $wrong = [];
        $began = hrtime(true);
        $done = 0;
        for (; $done < $executions && \count($wrong) < self::ENOUGH; ++$done) {
            if ($done > 0 && $done % self::TELL === 0) {
                $run->tell(\sprintf('%d executions, %d a second', $done, $done / (hrtime(true) - $began) * 1e9));
            }
            $damage = $done % self::EACH === 0 ? Damage::None : $choices->one($damages);
            if ($damage === Damage::None) {
                $text = $next();
            }
            ++$counts[$damage->value];
            try {
                $last = $damaged->of($text, $damage);
                $found = $try($last, $damage);
            } catch (Throwable $thrown) {
                $found = $thrown::class . ': ' . $thrown->getMessage();
            }
            if ($found !== null) {
                $wrong[] = "$damage->value: $found";
                $run->tell("WRONG at $done ($damage->value): $found\n" . $last);
            }
        }
        $rate = (int) ($done / max(1, hrtime(true) - $began) * 1e9);

        return new Result(
            ['executions' => $done, 'a_second' => $rate, 'wrong' => \count($wrong)] + $counts,
            \sprintf('%d wrong of %d executions, %d a second, seed %d', \count($wrong), $done, $rate, $seed),
            $wrong === [],
        );
    }

    /**
     * Random texts of `mariadb-binlog`.
     *
     * @return array{Closure(): string, Closure(string, Damage): ?string} makes the next text; and says what the parser
     *     does wrong with that text when it is damaged
     */
    private static function binlog(Choices $choices): array
    {
        [$writer, $trial] = [new BinlogWriter($choices), new BinlogTrial($choices)];
        $log = $writer->log(1);

        return [
            static function () use ($choices, $writer, &$log): string {
                $log = $writer->log($choices->number(1, 2));

                return $log->text;
            },
            static function (string $text, Damage $damage) use ($trial, &$log): ?string {
                return $trial->run($log, $text, $damage);
            },
        ];
    }

    /**
     * Random texts of test_decoding.
     *
     * @return array{Closure(): string, Closure(string, Damage): ?string} see binlog()
     */
    private static function decoding(Choices $choices): array
    {
        [$writer, $trial] = [new DecodingWriter($choices), new DecodingTrial()];
        $change = $writer->change();

        return [
            static function () use ($writer, &$change): string {
                $change = $writer->change();

                return $change[0];
            },
            static function (string $text, Damage $damage) use ($trial, &$change): ?string {
                return $trial->run($text, $change[1], $damage);
            },
        ];
    }
}
