<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

/** Lists, hashes and sets of Phpredis. */
trait PhpredisCollections
{
    public function pushRight(string $key, string $value): int
    {
        $length = $this->redis->rPush($key, $value);

        return \is_int($length) ? $length : $this->fail('rPush', $key);
    }

    public function pushLeft(string $key, string $value): int
    {
        $length = $this->redis->lPush($key, $value);

        return \is_int($length) ? $length : $this->fail('lPush', $key);
    }

    public function popLeft(string $key): ?string
    {
        $value = $this->redis->lPop($key);

        return \is_string($value) ? $value : $this->nothing('lPop', $key);
    }

    public function setFields(string $key, array $fields): void
    {
        if ($this->redis->hMSet($key, $fields) !== true) {
            $this->fail('hMSet', $key);
        }
    }

    public function hasField(string $key, string $field): bool
    {
        return $this->redis->hExists($key, $field) === true || $this->no('hExists', $key);
    }

    public function field(string $key, string $field): ?string
    {
        $value = $this->redis->hGet($key, $field);

        return \is_string($value) ? $value : $this->nothing('hGet', $key);
    }

    public function fields(string $key): array
    {
        $fields = $this->redis->hGetAll($key);

        /** @var array<string, string> */
        return \is_array($fields) ? $fields : $this->fail('hGetAll', $key);
    }

    public function add(string $key, string $member): bool
    {
        $added = $this->redis->sAdd($key, $member);

        return \is_int($added) ? $added === 1 : $this->fail('sAdd', $key);
    }

    public function holds(string $key, string $member): bool
    {
        return $this->redis->sIsMember($key, $member) === true || $this->no('sIsMember', $key);
    }

    public function move(string $from, string $to, string $member): bool
    {
        return $this->redis->sMove($from, $to, $member) === true || $this->no('sMove', $from);
    }

    public function random(string $key): ?string
    {
        $member = $this->redis->sRandMember($key);

        return \is_string($member) ? $member : $this->nothing('sRandMember', $key);
    }
}
