<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Answer;
use Larder\Memcached;
use Larder\Outcome;

/** Works on the keys that all seats fight for: sums that all raise by cas(), and leases. */
final readonly class Contender
{
    /** The first number that a leased value may have as its key; above all places. */
    private const LEASED = 4000;

    private const LEASE = 1.0;

    public function __construct(
        private Memcached $pool,
        private Memcached $leasing,
        private Calls $calls,
        private Judge $judge,
    ) {}

    /** @return array{int, int} the least and the most that a sum can be */
    public static function bounds(int $sum, Notes $notes, Keys $keys): array
    {
        $least = $most = 0;
        for ($seat = 0; $seat < $notes->seats; ++$seat) {
            $least += $notes->acknowledged($keys->sumPlace($sum, $seat));
            $most += $notes->begun($keys->sumPlace($sum, $seat));
        }

        return [$least, $most];
    }

    public function sum(): void
    {
        $sum = mt_rand(0, Keys::SUMS - 1);
        $name = Keys::sum($sum);
        $place = $this->judge->keys->sumPlace($sum, $this->judge->seat);
        [$least] = self::bounds($sum, $this->judge->notes, $this->judge->keys);
        $answer = $this->calls->of('read', fn(): Answer => $this->pool->read($name));
        if (!$answer->hit) {
            if ($answer->answered) {
                $this->calls->of('add', fn(): Outcome => $this->pool->add($name, ['sum' => 0]));
            }

            return;
        }
        $value = \is_array($answer->value) ? $answer->value['sum'] ?? null : null;
        [, $most] = self::bounds($sum, $this->judge->notes, $this->judge->keys);
        if (!\is_int($value) || $value < $least || $value > $most) {
            $this->judge->wrong('sum', $sum, json_encode($answer->value, JSON_PARTIAL_OUTPUT_ON_ERROR) . ", but it is $least to $most");

            return;
        }
        $this->judge->notes->begin($place);
        $outcome = $this->calls->of('cas', fn(): Outcome => $this->pool->cas($name, ['sum' => $value + 1], $answer->version));
        $this->judge->tell($outcome, $sum, 'sum');
        if ($outcome === Outcome::Done) {
            $this->judge->notes->acknowledge($place, $this->judge->notes->acknowledged($place) + 1);
        } elseif ($outcome === Outcome::Refused) {
            $this->judge->notes->take($place);
        }
    }

    public function lease(): void
    {
        $number = mt_rand(0, Keys::LEASED - 1);
        $name = Keys::leased($number);
        match (mt_rand(1, 12)) {
            1 => $this->calls->of('markStale', fn(): Outcome => $this->leasing->markStale($name, 30.0)),
            2 => $this->leased($number, $this->calls->of('read', fn(): Answer => $this->leasing->read($name))),
            3 => $this->calls->of('delete', fn(): Outcome => $this->leasing->delete($name)),
            4, 5 => $this->many(),
            6 => $this->compute($number, $this->calls->of('lease', fn(): ?int => $this->leasing->lease($name, self::LEASE))),
            default => $this->want($number),
        };
    }

    private function want(int $number): void
    {
        $answer = $this->calls->of('getOrLease', fn(): Answer => $this->leasing->getOrLease(Keys::leased($number), self::LEASE));
        $this->leased($number, $answer);
        $this->compute($number, $answer->lease);
    }

    private function compute(int $number, ?int $lease): void
    {
        if ($lease === null) {
            return;
        }
        $name = Keys::leased($number);
        $dice = mt_rand(1, 10);
        if ($dice === 1) {
            $this->calls->of('release', fn(): bool => $this->leasing->release($name, $lease));
        } elseif ($dice > 2) {
            $value = Sealed::make(self::LEASED + $number, hrtime(true) >> 10 & 0xFFFFFF);
            $outcome = $this->calls->of('set', fn(): Outcome => $this->leasing->set($name, $value, mt_rand(1, 3), $lease));
            $this->judge->tell($outcome, $number, 'lease');
        }
    }

    /** A key that is only leased is a miss to all that do not ask for leases. */
    private function many(): void
    {
        $numbers = [];
        for ($number = mt_rand(0, 3); $number < Keys::LEASED; $number += mt_rand(1, 4)) {
            $numbers[Keys::leased($number)] = $number;
        }
        $found = $this->calls->of('getMultiple', fn(): array => $this->leasing->getMultiple(array_keys($numbers)));
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
