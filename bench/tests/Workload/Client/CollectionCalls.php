<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Client;

/** Lists, hashes and sets of Memory. */
trait CollectionCalls
{
    public function pushRight(string $key, string $value): int
    {
        $this->note('pushRight', $key);
        if ($this->writes()) {
            $this->arrays[$key][] = $value;
        }

        return $this->number(\count($this->arrays[$key] ?? []));
    }

    public function pushLeft(string $key, string $value): int
    {
        $this->note('pushLeft', $key);
        if ($this->writes()) {
            $this->arrays[$key] = [$value, ...array_values($this->arrays[$key] ?? [])];
        }

        return $this->number(\count($this->arrays[$key] ?? []));
    }

    public function popLeft(string $key): ?string
    {
        $this->note('popLeft', $key);
        $list = $this->arrays[$key] ?? [];
        $value = array_shift($list);
        $this->arrays[$key] = $list;

        return $this->read($key, $value);
    }

    public function setFields(string $key, array $fields): void
    {
        $this->note('setFields', $key);
        foreach ($fields as $field => $value) {
            if ($this->writes()) {
                $this->arrays[$key][$field] = $value;
            }
        }
    }

    public function hasField(string $key, string $field): bool
    {
        $this->note('hasField', $key);

        return isset($this->arrays[$key][$field]) && $this->yes();
    }

    public function field(string $key, string $field): ?string
    {
        $this->note('field', $key);

        return $this->read($key . $field, $this->arrays[$key][$field] ?? null);
    }

    public function fields(string $key): array
    {
        $this->note('fields', $key);
        /** @var array<string, string> $fields */
        $fields = array_reverse($this->arrays[$key] ?? [], true);

        return match ($this->lie) {
            Lie::MissingKey => \array_slice($fields, 1),
            Lie::ExtraKey => [...$fields, 'nobody set' => 'this'],
            default => $fields,
        };
    }

    public function add(string $key, string $member): bool
    {
        $this->note('add', $key);
        if ($this->writes()) {
            $this->arrays[$key][$member] = $member;
        }

        return $this->yes();
    }

    public function holds(string $key, string $member): bool
    {
        $this->note('holds', $key);

        return isset($this->arrays[$key][$member]) && $this->yes();
    }

    public function move(string $from, string $to, string $member): bool
    {
        $this->note('move', $from, $to);
        $there = isset($this->arrays[$from][$member]);
        unset($this->arrays[$from][$member]);
        $this->arrays[$to][$member] = $member;

        return $there && $this->yes();
    }

    public function random(string $key): ?string
    {
        $this->note('random', $key);
        $members = $this->arrays[$key] ?? [];

        return $this->read($key, $members === [] ? null : $members[array_rand($members)]);
    }
}
