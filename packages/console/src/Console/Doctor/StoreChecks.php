<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Closure;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MayGoBack;
use Larder\Store\MayKeepNothing;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;
use Psr\Log\LoggerInterface;
use Throwable;

/** @internal Writes to the store of values and reads it back, as an application would. */
final readonly class StoreChecks
{
    /** So many that each server of a pool has some. */
    private const KEYS = 64;

    private const TTL = 30.0;

    /** Seconds by which a server's clock, which counts whole ones, may differ. */
    private const APART = 3;

    /** @param Closure(LoggerInterface): Store $open */
    public function __construct(
        private Closure $open,
        private string $pages,
    ) {}

    /**
     * @param ProcessReport|null $php of php-fpm; null: it did not answer
     *
     * @return list<Check>
     */
    public function checks(?ProcessReport $php): array
    {
        $answers = 'the store of values answers';
        $log = new HeardLog();
        try {
            $store = ($this->open)($log);
            if ($store instanceof MayKeepNothing && $store->keepsNothing()) {
                return [$log->heard() === ''
                    ? Check::remark($answers, 'it is a NullStore: no value is kept')
                    : Check::failed($answers, $log->heard())];
            }
            if ($store instanceof MayGoBack && $store->mayGoBack()) {
                $remedy = 'after a restart or a failover it gives values from before a change: leave survives: true '
                    . 'out, and give sessions and counters a store of their own with it';

                return [Check::failed('the store of values does not go back', $remedy)];
            }
            $reason = self::reason($store);
        } catch (Throwable $exception) {
            return [Check::failed($answers, $exception->getMessage())];
        }
        if ($reason !== null) {
            return [Check::failed($answers, $log->heard() === '' ? $reason : $log->heard())];
        }

        return [Check::ok($answers), ...$this->ofExtension($store, $php), ...self::clocks($store)];
    }

    /** @return string|null what it does not do; null: all is well */
    private static function reason(Store $store): ?string
    {
        $values = [];
        $run = bin2hex(random_bytes(8));
        for ($number = 0; $number < self::KEYS; ++$number) {
            $values["\0larder.doctor.$run.$number"] = $number;
        }
        $outcomes = $store->setMultiple($values, self::TTL);
        $refused = array_filter($outcomes, static fn(Outcome $outcome): bool => $outcome !== Outcome::Done);
        if ($refused !== []) {
            return \sprintf('it took %d of %d values', self::KEYS - \count($refused), self::KEYS);
        }
        $found = $store->getMultiple(array_keys($values));
        $store->deleteMultiple(array_keys($values));

        return $found === $values ? null : \sprintf('it gave %d of %d values back', \count($found), self::KEYS);
    }

    /** @return list<Check> */
    private function ofExtension(Store $store, ?ProcessReport $php): array
    {
        $has = 'php-fpm has the extension larder';
        if ($php === null || !\extension_loaded('larder') || $store instanceof RedisStore) {
            return [];
        }
        if ($php->extension === null) {
            $remedy = 'this PHP has it and php-fpm has not, so a site that needs it keeps no values: add '
                . 'extension=larder.so to its php.ini and restart it';

            return [Check::failed($has, $remedy)];
        }
        if (!$store instanceof SharedMemory) {
            return [Check::ok($has)];
        }
        $own = ProcessReport::of($this->pages);

        return [Check::ok($has), Check::that(
            'php-fpm and commands share one segment',
            $own->segment !== null && $own->segment !== '' && $own->segment === $php->segment,
            \sprintf(
                'php-fpm has %s and this PHP %s, so a change by a command does not reach php-fpm: set larder.name and '
                    . 'larder.directory alike in both php.ini',
                self::segment($php),
                self::segment($own),
            ),
        )];
    }

    private static function segment(ProcessReport $process): string
    {
        return match ($process->segment) {
            null => 'none (' . $process->reason . ')',
            '' => 'one of its own' . ($process->reason === '' ? '' : ' (' . $process->reason . ')'),
            default => $process->segment,
        };
    }

    /** @return list<Check> */
    private static function clocks(Store $store): array
    {
        if (!$store instanceof MemcachedStore) {
            return [];
        }
        $name = 'the clocks of memcached and this host agree';
        $apart = [];
        foreach ($store->clocks() as $server => $time) {
            $seconds = $time - time();
            if (abs($seconds) > self::APART) {
                $apart[] = \sprintf('%s is %+d s off', $server, $seconds);
            }
        }

        return [$apart === [] ? Check::ok($name) : Check::remark($name, implode('; ', $apart))];
    }
}
