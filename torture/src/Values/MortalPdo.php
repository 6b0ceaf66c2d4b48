<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Closure;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;

/** A writer's connection: it may die on both sides of COMMIT, and is told right after it. */
final class MortalPdo extends RecordingPdo
{
    /** @var Closure(): void|null */
    public ?Closure $committed = null;

    public function __construct(string $dsn, Registry $registry, private readonly Fuse $fuse)
    {
        parent::__construct($dsn, $registry);
    }

    public function beginTransaction(): bool
    {
        $this->fuse->burn();

        return parent::beginTransaction();
    }

    public function commit(): bool
    {
        $this->fuse->burn();
        $done = parent::commit();
        if ($this->committed !== null) {
            ($this->committed)();
        }
        $this->fuse->burn();

        return $done;
    }
}
