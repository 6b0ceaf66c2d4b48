<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Answer;
use Larder\Memcached;
use Larder\Outcome;
use Larder\Testbed\Value\SealedValue;

/** The calls on keys that all workers write: sums that all raise by cas(), and leases. */
final readonly class SharedKeys
{
    /** The first number of a leased value, above those of all other keys. */
    private const LEASED = 4000;

    private const LEASE = 1.0;

    public function __construct(
        private Memcached $pool,
        private Memcached $leasing,
        private CallTimer $timer,
        private ClientJudge $judge,
    ) {}

    /** @return array{int, int} the least and the most that a sum can be */
    public static function bounds(int $sum, ClientJudge $judge): array
    {
        $least = $most = 0;
        for ($worker = 0; $worker < $judge->keys->workers; ++$worker) {
            $place = $judge->keys->sumPlace($sum, $worker);
            $least += $judge->acknowledged($place);
            $most += $judge->begun($place);
        }

        return [$least, $most];
    }

    public function sum(): void
    {
        $sum = mt_rand(0, ClientKeys::SUMS - 1);
        $name = ClientKeys::sum($sum);
        $place = $this->judge->keys->sumPlace($sum, $this->judge->worker);
        [$least] = self::bounds($sum, $this->judge);
        $answer = $this->timer->time('read', fn(): Answer => $this->pool->read($name));
        if (!$answer->hit) {
            if ($answer->answered) {
                $this->timer->time('add', fn(): Outcome => $this->pool->add($name, ['sum' => 0]));
            }

            return;
        }
        $value = \is_array($answer->value) ? $answer->value['sum'] ?? null : null;
        [, $most] = self::bounds($sum, $this->judge);
        if (!\is_int($value) || $value < $least || $value > $most) {
            $shown = json_encode($answer->value, JSON_PARTIAL_OUTPUT_ON_ERROR);
            $this->judge->wrong('sum', $sum, "$shown, but it is $least to $most");

            return;
        }
        $this->judge->begin($place);
        $outcome = $this->timer->time(
            'cas',
            fn(): Outcome => $this->pool->cas($name, ['sum' => $value + 1], $answer->version),
        );
        $this->judge->tell($outcome, $sum, 'sum');
        if ($outcome === Outcome::Done) {
            $this->judge->acknowledge($place, $this->judge->acknowledged($place) + 1);
        } elseif ($outcome === Outcome::Refused) {
            $this->judge->takeBack($place);
        }
    }

    public function lease(): void
    {
        $number = mt_rand(0, ClientKeys::LEASED - 1);
        $name = ClientKeys::leased($number);
        match (mt_rand(1, 12)) {
            1 => $this->timer->time('markStale', fn(): Outcome => $this->leasing->markStale($name, 30.0)),
            2 => $this->leased($number, $this->timer->time('read', fn(): Answer => $this->leasing->read($name))),
            3 => $this->timer->time('delete', fn(): Outcome => $this->leasing->delete($name)),
            4, 5 => $this->many(),
            6 => $this->compute(
                $number,
                $this->timer->time('lease', fn(): ?int => $this->leasing->lease($name, self::LEASE)),
            ),
            default => $this->want($number),
        };
    }

    private function want(int $number): void
    {
        $answer = $this->timer->time(
            'getOrLease',
            fn(): Answer => $this->leasing->getOrLease(ClientKeys::leased($number), self::LEASE),
        );
        $this->leased($number, $answer);
        $this->compute($number, $answer->lease);
    }

    private function compute(int $number, ?int $lease): void
    {
        if ($lease === null) {
            return;
        }
        $name = ClientKeys::leased($number);
        $dice = mt_rand(1, 10);
        if ($dice === 1) {
            $this->timer->time('release', fn(): bool => $this->leasing->release($name, $lease));
        } elseif ($dice > 2) {
            $value = (new SealedValue(self::LEASED + $number, hrtime(true) >> 10 & 0xFFFFFF))->any();
            $outcome = $this->timer->time(
                'set',
                fn(): Outcome => $this->leasing->set($name, $value, mt_rand(1, 3), $lease),
            );
            $this->judge->tell($outcome, $number, 'lease');
        }
    }

    /** A key that is leased and has no value is a miss for a call that does not ask for leases. */
    private function many(): void
    {
        $numbers = [];
        for ($number = mt_rand(0, 3); $number < ClientKeys::LEASED; $number += mt_rand(1, 4)) {
            $numbers[ClientKeys::leased($number)] = $number;
        }
        $found = $this->timer->time('getMultiple', fn(): array => $this->leasing->getMultiple(array_keys($numbers)));
        foreach ($found as $name => $value) {
            $this->judge->leased(self::LEASED + ($numbers[$name] ?? -1), $value, 'getMultiple');
        }
    }

    private function leased(int $number, Answer $answer): void
    {
        if ($answer->hit) {
            $this->judge->leased(self::LEASED + $number, $answer->value, 'getOrLease');
        }
    }
}
