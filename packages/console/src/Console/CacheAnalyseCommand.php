<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Analysis\Advice;
use Larder\Console\Analysis\Pattern;
use Larder\Console\Analysis\Sample;
use Larder\Console\Analysis\Survey;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('cache:analyse', 'Suggests ttl, grace and lease for the keys of a cache, by the requests for them')]
final class CacheAnalyseCommand extends AnsweringCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addArgument('file', InputArgument::REQUIRED, 'File that a Larder\Cache\Analysis\AccessLog wrote')
            ->addOption('limit', null, InputOption::VALUE_REQUIRED, 'Number of patterns at most; 0: all', '20')
            ->setHelp(<<<'HELP'
                Example: <info>larder cache:analyse var/access.log</info>

                Keys that differ only in numbers are one pattern. Times are those of the median key. A lease is what
                Larder\Cache\Settings derives from the measured compute. Requests do not show how old data may be, so no
                suggested time is shorter than the present one.
                HELP);
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $limit = filter_var(self::text($input, 'limit'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 0]]);
        if (!\is_int($limit)) {
            throw Refused::because('--limit is a number, 0 for all');
        }
        $name = self::text($input, 'file');
        $file = is_file($name) ? @fopen($name, 'r') : false;
        if ($file === false) {
            $writer = 'A Larder\Cache\Analysis\AccessLog, given to a cache as its observer, writes one';
            throw Refused::because("There is no file $name that can be read. $writer");
        }
        $survey = Survey::of($file);
        fclose($file);
        $found = [];
        foreach ($survey->patterns() as $pattern) {
            $found[] = [$pattern, new Advice($pattern, $survey->span())];
        }
        $shown = \array_slice($found, 0, $limit === 0 ? null : $limit);

        return new CommandAnswer(
            [
                'seconds' => $survey->span(),
                'lines' => $survey->lines(),
                'skipped' => $survey->skipped(),
                'patterns' => array_map(
                    static fn(array $one): array => self::values($one[0], $one[1], $survey->span()),
                    $shown,
                ),
                'defaults' => self::defaults($found),
            ],
            self::lines($survey, $shown, \count($found), self::defaults($found)),
        );
    }

    /** @return array<string, mixed> */
    private static function values(Pattern $pattern, Advice $advice, float $span): array
    {
        return [
            'pattern' => self::shown($pattern->name),
            'requests_per_minute' => $span > 0.0 ? round($pattern->requests() / $span * 60, 2) : null,
            'hit_ratio' => round($pattern->hitRatio(), 4),
            'compute_median_seconds' => $pattern->cost(0.5),
            'compute_p95_seconds' => $pattern->cost(0.95),
            'ttl_seconds' => $advice->presentTtl,
            'grace_seconds' => $advice->presentGrace,
            'lease_seconds' => round($advice->presentLease, 3),
            'suggested_ttl_seconds' => $advice->ttl,
            'suggested_grace_seconds' => $advice->grace,
            'suggested_lease_seconds' => $advice->lease === null ? null : round($advice->lease, 3),
            'reasons' => $advice->reasons,
            'warnings' => $advice->warnings,
        ];
    }

    /**
     * The suggestion for Settings: the median of the suggestions for the patterns that took most of the compute time.
     *
     * @param list<array{Pattern, Advice}> $found the most expensive first
     *
     * @return array{ttl_seconds: float|null, grace_seconds: float|null, lease_seconds: float|null}
     */
    private static function defaults(array $found): array
    {
        $all = array_sum(array_map(static fn(array $one): float => $one[0]->work(), $found));
        $slow = [];
        $work = 0.0;
        foreach ($found as [$pattern, $advice]) {
            if ($work > 0.9 * $all || $pattern->work() <= 0.0) {
                break;
            }
            $slow[] = $advice;
            $work += $pattern->work();
        }
        $median = static fn(array $times): ?float => Sample::quantileOf(
            array_values(array_filter($times, is_float(...))),
            0.5,
        );

        return [
            'ttl_seconds' => $median(array_map(static fn(Advice $advice): ?float => $advice->ttl, $slow)),
            'grace_seconds' => $median(array_map(static fn(Advice $advice): ?float => $advice->grace, $slow)),
            'lease_seconds' => $median(array_map(static fn(Advice $advice): ?float => $advice->lease, $slow)),
        ];
    }

    /**
     * @param list<array{Pattern, Advice}>                                                         $shown
     * @param array{ttl_seconds: float|null, grace_seconds: float|null, lease_seconds: float|null} $defaults
     *
     * @return list<string>
     */
    private static function lines(Survey $survey, array $shown, int $all, array $defaults): array
    {
        $widths = array_map(static fn(array $one): int => min(40, \strlen(self::shown($one[0]->name))), $shown);
        $width = max([7, ...$widths]);
        $skipped = $survey->skipped() > 0 ? \sprintf('; %d could not be read', $survey->skipped()) : '';
        $row = static fn(string ...$cells): string => \sprintf(
            "%-{$width}s %9s %6s %9s %9s  %-19s %-19s %s",
            ...$cells,
        );
        $lines = [
            \sprintf('%d lines over %s%s', $survey->lines(), Advice::span($survey->span()), $skipped),
            '',
            $row('pattern', 'per min', 'hits', 'median', 'p95', 'ttl', 'grace', 'lease'),
        ];
        foreach ($shown as [$pattern, $advice]) {
            $lines[] = $row(
                self::shown($pattern->name),
                $survey->span() > 0.0 ? \sprintf('%.4g', $pattern->requests() / $survey->span() * 60) : '?',
                \sprintf('%.1f%%', 100 * $pattern->hitRatio()),
                $pattern->cost(0.5) === null ? '?' : Advice::span($pattern->cost(0.5)),
                $pattern->cost(0.95) === null ? '?' : Advice::span($pattern->cost(0.95)),
                self::change($advice->presentTtl, $advice->ttl),
                self::change($advice->presentGrace, $advice->grace),
                self::change($advice->presentLease, $advice->lease),
            );
            foreach ($advice->reasons as $reason) {
                $lines[] = '    ' . $reason;
            }
            foreach ($advice->warnings as $warning) {
                $lines[] = '  ! ' . $warning;
            }
        }
        if ($all > \count($shown)) {
            $lines[] = \sprintf('and %d more: raise --limit', $all - \count($shown));
        }
        if ($defaults['lease_seconds'] !== null) {
            $lines[] = '';
            $times = array_map(Advice::span(...), array_values($defaults));
            $lines[] = \sprintf('For Settings: ttl %s, grace %s, lease %s', ...$times)
                . ' (median of the patterns with 90 % of the compute time)';
        }

        return $lines;
    }

    private static function change(?float $present, ?float $suggested): string
    {
        $isSame = $suggested === null || ($present !== null && abs($suggested - $present) < 0.001);

        return Advice::span($present) . ($isSame ? '' : ' -> ' . Advice::span($suggested));
    }

    private static function shown(string $name): string
    {
        return (string) preg_replace_callback(
            '~[^\x20-\x7e]~',
            static fn(array $byte): string => \sprintf('\x%02x', \ord($byte[0])),
            $name,
        );
    }
}
