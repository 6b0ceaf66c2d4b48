<?php

declare(strict_types=1);

namespace Larder\Testbed\Load;

use Larder\Testbed\Server\ServerFailed;

/** What wrk and the script in it counted. */
final readonly class WrkReport
{
    /**
     * @param int         $right     verified replies in the window
     * @param int         $failed    other replies in it
     * @param int         $broken    of the whole run: connections that failed, replies that broke off
     * @param string|null $wrong     the first reply with status 200 that is not the page
     * @param string|null $error     the first that failed
     * @param float       $seconds   of the window; 0: it was not closed
     * @param float       $cpu       microseconds that wrk took in it
     * @param float       $serverCpu microseconds of the servers in it
     * @param float       $otherCpu  the same of the clients under test
     * @param list<int>   $slices    verified replies in equal parts of it
     * @param array<int, int> $latencies number of replies by microseconds, in the whole run, its lead included: from
     *     the request's first byte to the reply's last, without connecting
     * @param int         $requests  that wrk counted in the whole run
     * @param int         $bytes     that wrk read in the whole run
     * @param int         $microseconds of the whole run
     * @param int         $refused   responses of the whole run with a status that is neither 2xx nor 3xx
     */
    private function __construct(
        public int $right,
        public int $failed,
        public int $broken,
        public ?string $wrong,
        public ?string $error,
        public float $seconds,
        public float $cpu,
        public float $serverCpu,
        public float $otherCpu,
        public array $slices,
        public bool $steady,
        public array $latencies,
        public int $requests,
        public int $bytes,
        public int $microseconds,
        public int $refused,
    ) {}

    /** @param string $text as the script's done() writes it */
    public static function parse(string $text, int $connections, float $serverCpu = 0.0, float $otherCpu = 0.0): ?self
    {
        if (preg_match('/^RESULT (\{.*\})$/m', $text, $match) !== 1) {
            return null;
        }
        $result = json_decode($match[1], true);
        $value = static fn(string $name): mixed => \is_array($result) ? $result[$name] ?? null : null;
        $number = static fn(string $name): int => \is_int($found = $value($name)) ? $found : self::unreadable($name);
        $float = static fn(string $name): float => is_numeric($found = $value($name))
            ? (float) $found
            : self::unreadable($name);
        $words = static fn(string $name): string => \is_string($found = $value($name))
            ? (string) hex2bin($found)
            : self::unreadable($name);
        $running = \is_array($found = $value('running'))
            ? array_values(array_filter($found, is_int(...)))
            : self::unreadable('running');
        // What is still under way at the end is no fault: as many as there are connections, at most.
        $lost = max($number('begun') - $number('replies') - $connections, $number('cut'));
        $error = match (true) {
            $number('failedStatus') > 0 => \sprintf(
                'status %d, %s',
                $number('failedStatus'),
                Target::excerpt($words('failedBody')),
            ),
            $number('connect') > 0 => 'a connection failed',
            $number('read') > 0 || $lost > 0 => 'a reply broke off',
            $number('write') > 0 => 'a request could not be sent',
            $number('timeout') > 0 => 'a reply took longer than wrk waits',
            default => null,
        };

        $excerpt = $words('wrongBody') === '' ? '' : ': ' . Target::excerpt($words('wrongBody'));

        return new self(
            $number('right'),
            $number('failed'),
            $number('connect') + max($number('read'), $lost) + $number('write') + $number('timeout'),
            $number('wrong') === 0 ? null : $words('wrongWhy') . $excerpt,
            $error,
            $float('seconds'),
            $float('cpu'),
            $serverCpu,
            $otherCpu,
            self::differences($running),
            $value('steady') === true,
            self::latencies($text, $number('completed'), $number('duration'), $connections),
            $number('completed'),
            $number('bytes'),
            $number('duration'),
            $number('status'),
        );
    }

    public function rate(): float
    {
        return $this->seconds > 0.0 ? $this->right / $this->seconds : 0.0;
    }

    /** The same window under the verdict of another run's warm-up. */
    public function after(self $warmUp): self
    {
        return new self(
            $this->right,
            $this->failed,
            $this->broken,
            $this->wrong,
            $this->error,
            $this->seconds,
            $this->cpu,
            $this->serverCpu,
            $this->otherCpu,
            $this->slices,
            $warmUp->steady,
            $this->latencies,
            $this->requests,
            $this->bytes,
            $this->microseconds,
            $this->refused,
        );
    }

    /** Requests a second in the whole run, for a run that checked nothing. */
    public function requestRate(): float
    {
        return $this->microseconds > 0 ? $this->requests / ($this->microseconds / 1e6) : 0.0;
    }

    /** @return int microseconds that this share of the replies took at most */
    public function percentile(float $share): int
    {
        $rank = $share * array_sum($this->latencies);
        $seen = 0;
        foreach ($this->latencies as $microseconds => $count) {
            $seen += $count;
            if ($seen >= $rank) {
                return $microseconds;
            }
        }

        return 0;
    }

    /**
     * wrk adds latencies that nobody saw: behind each that is longer than a connection's mean interval, those that
     * requests would have had which were due meanwhile. They are taken out here, exactly: each added one lies a
     * multiple of the interval below the one that caused it. An open loop is the honest way to such a figure.
     *
     * @return array<int, int> in their order
     */
    private static function latencies(string $text, int $completed, int $duration, int $connections): array
    {
        if (preg_match_all('/^LATENCY (\d+) (\d+)$/m', $text, $matches, PREG_SET_ORDER) === 0) {
            return [];
        }
        $counts = [];
        foreach ($matches as [, $microseconds, $count]) {
            $counts[(int) $microseconds] = (int) $count;
        }
        ksort($counts);
        $each = intdiv($completed, $connections);
        $interval = $each > 0 ? intdiv($duration, $each) : PHP_INT_MAX >> 1;
        $latencies = [];
        foreach ($counts as $microseconds => $count) {
            $seen = $microseconds > $interval ? $count - ($counts[$microseconds + $interval] ?? 0) : $count;
            if ($seen > 0) {
                $latencies[$microseconds] = $seen;
            }
        }

        return $latencies;
    }

    private static function unreadable(string $name): never
    {
        throw ServerFailed::because("wrk's report has no $name");
    }

    /**
     * @param list<int> $running
     *
     * @return list<int>
     */
    private static function differences(array $running): array
    {
        $before = 0;
        $each = [];
        foreach ($running as $until) {
            $each[] = $until - $before;
            $before = $until;
        }

        return $each;
    }
}
