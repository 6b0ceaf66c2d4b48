<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Result\Json;
use Larder\Bench\Statistics\Histogram;

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
     * @param Histogram $latency of the whole run, its lead included; from the request's first byte to the reply's last,
     *     connecting not counted
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
        public Histogram $latency,
    ) {}

    /** @param string $text as the script's done() writes it */
    public static function parse(string $text, int $connections, float $serverCpu = 0.0, float $otherCpu = 0.0): ?self
    {
        if (preg_match('/^RESULT (\{.*\})$/m', $text, $match) !== 1) {
            return null;
        }
        $json = Json::parse($match[1]);
        $number = static fn(string $name): int => (int) $json->member($name)->number();
        $running = $json->member('running')->list(static fn(Json $count): int => $count->count());
        // What is still under way at the end is no fault: as many as there are connections, at most.
        $lost = max($number('begun') - $number('replies') - $connections, $number('cut'));
        $words = static fn(string $name): string => (string) hex2bin($json->member($name)->string());
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

        return new self(
            $number('right'),
            $number('failed'),
            $number('connect') + max($number('read'), $lost) + $number('write') + $number('timeout'),
            $number('wrong') === 0
                ? null
                : $words('wrongWhy') . ($words('wrongBody') === '' ? '' : ': ' . Target::excerpt($words('wrongBody'))),
            $error,
            $json->member('seconds')->number(),
            $json->member('cpu')->number(),
            $serverCpu,
            $otherCpu,
            self::differences($running),
            $json->member('steady')->bool(),
            self::latency($text, $number('completed'), $number('duration'), $connections),
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
            $this->latency,
        );
    }

    /**
     * wrk adds latencies that nobody saw: after each that is longer than a connection's mean interval, those that
     * requests would have had that were due meanwhile. They are taken out here, exactly: each added one lies a multiple
     * of the interval below the one that caused it. An open loop is the honest way to such a figure.
     */
    private static function latency(string $text, int $completed, int $duration, int $connections): Histogram
    {
        $latency = new Histogram();
        if (preg_match_all('/^LATENCY (\d+) (\d+)$/m', $text, $matches, PREG_SET_ORDER) === 0) {
            return $latency;
        }
        $counts = [];
        foreach ($matches as [, $microseconds, $count]) {
            $counts[(int) $microseconds] = (int) $count;
        }
        $each = intdiv($completed, $connections);
        $interval = $each > 0 ? intdiv($duration, $each) : PHP_INT_MAX >> 1;
        foreach ($counts as $microseconds => $count) {
            $seen = $microseconds > $interval ? $count - ($counts[$microseconds + $interval] ?? 0) : $count;
            if ($seen > 0) {
                $latency->record($microseconds * 1000, $seen);
            }
        }

        return $latency;
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
