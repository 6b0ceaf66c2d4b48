<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Closure;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Database;

/** The connection of a writer that may die just before and just after COMMIT. */
final class DyingPdo extends RecordingPdo
{
    /** @var (Closure(): void)|null called right after COMMIT */
    public ?Closure $committed = null;

    public function __construct(Database $place, Registry $registry, private readonly DeathCountdown $countdown)
    {
        parent::__construct($place->dsn, $registry, user: $place->user, password: $place->password);
    }

    public function beginTransaction(): bool
    {
        $this->countdown->step();

        return parent::beginTransaction();
    }

    public function commit(): bool
    {
        $this->countdown->step();
        $done = parent::commit();
        if ($this->committed !== null) {
            ($this->committed)();
        }
        $this->countdown->step();

        return $done;
    }
}
