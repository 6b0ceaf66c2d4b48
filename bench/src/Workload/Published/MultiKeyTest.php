<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;

/** The twelve tests of the source. A value is the caption of the column. */
enum MultiKeyTest: string
{
    case SetSingle = 'Single-Set';
    case SetObject = 'Set-Object';
    case IncrementSingle = 'Single-Incr';
    case DeleteSingle = 'Single-Del';
    case GetSingle = 'Single-Get';
    case GetMany = 'Multi-Get';
    case GetObject = 'Get-Object';
    case GetObjects = 'MulGet-Object';
    case SetMany = 'Multi-Set';
    case SetObjects = 'MulSet-Object';
    case IncrementMany = 'Multi-Incr';
    case DeleteMany = 'Multi-Del';

    /** @return list<list<self>> in the groups of the source */
    public static function blocks(): array
    {
        return array_chunk(self::cases(), 4);
    }

    /** @return class-string<Subject> what a client must be able to do */
    public function needs(): string
    {
        return match ($this) {
            self::SetSingle, self::GetSingle, self::DeleteSingle => KeyValue::class,
            self::SetObject, self::GetObject => Objects::class,
            self::IncrementSingle => Counting::class,
            self::IncrementMany => CountingMany::class,
            default => ManyKeys::class,
        };
    }

    public function isOfObjects(): bool
    {
        return \in_array($this, [self::SetObject, self::GetObject, self::GetObjects, self::SetObjects], true);
    }

    /** True if one call has many keys. */
    public function isMulti(): bool
    {
        return \in_array($this->needs(), [ManyKeys::class, CountingMany::class], true);
    }
}
