<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** The client serializes by itself ("native"); "direct" is a KeyValue that is given what an Encoder made. */
interface Objects extends Subject
{
    public function setObject(string $key, mixed $value): void;

    /** Null: not there. */
    public function getObject(string $key): mixed;
}
