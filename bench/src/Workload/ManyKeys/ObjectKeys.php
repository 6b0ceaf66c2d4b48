<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;

/**
 * Objects in a store: one by one the client serializes them itself; many at once go through PHP's serialize(), since no
 * client contract has a multi-key call for objects.
 */
final readonly class ObjectKeys
{
    public function __construct(
        private Subject $subject,
        private bool $many,
    ) {}

    /** @return list<class-string<Subject>> */
    public static function needs(bool $many): array
    {
        return [$many ? ManyKeys::class : Objects::class];
    }

    /** @param non-empty-array<string, NestedObject> $objects */
    public function set(array $objects): void
    {
        if ($this->many && $this->subject instanceof ManyKeys) {
            $this->subject->setMany(array_map(serialize(...), $objects));
        } elseif ($this->subject instanceof Objects) {
            foreach ($objects as $key => $object) {
                $this->subject->setObject($key, $object);
            }
        }
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return array<string, string|null> the payloads of those that are there and whole
     */
    public function payloads(array $keys): array
    {
        if ($this->many && $this->subject instanceof ManyKeys) {
            return array_map(
                static fn(string $bytes): ?string => NestedObject::payload(
                    @unserialize($bytes, ['allowed_classes' => [NestedObject::class]]),
                ),
                $this->subject->getMany($keys),
            );
        }
        $payloads = [];
        if ($this->subject instanceof Objects) {
            foreach ($keys as $key) {
                $payloads[$key] = NestedObject::payload($this->subject->getObject($key));
            }
        }

        return $payloads;
    }
}
