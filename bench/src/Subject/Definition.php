<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Closure;
use Larder\Bench\Result\Role;
use Larder\Bench\Result\Sheet;
use Larder\Bench\Server\Kind;

/** A line of the Catalogue: a subject's stable id, how to make it, what it needs, and its fairness sheet. */
final readonly class Definition
{
    /**
     * @param string                $id         stable: results are compared by it
     * @param class-string<Subject> $class      what `make` returns, for tests to look up its interfaces
     * @param Closure(): Subject    $make       a fresh one, not connected
     * @param array<string, string> $terms      the fairness sheet: persistent, protocol, nodelay, compression, serializer, time-outs
     * @param list<string>          $extensions PHP extensions without which it is absent
     * @param int                   $instances  servers it uses; `id@2` makes it 2
     * @param bool                  $shared     whether what one process set is there for the next window's processes (a server, a file);
     *                                          false: each window has to fill it before its workers fork (APCu, an array)
     * @param array<string, string> $ini        php.ini values of the processes that measure it
     * @param int                   $times      workers of it for each worker that a chart names; `id*2` makes it 2
     */
    public function __construct(
        public string $id,
        public string $title,
        public string $class,
        public Closure $make,
        public Kind $needs = Kind::None,
        public Role $role = Role::Contender,
        public array $terms = [],
        public array $extensions = [],
        public int $instances = 1,
        public bool $shared = true,
        public array $ini = [],
        public int $times = 1,
    ) {}

    /** @param class-string $interface */
    public function can(string $interface): bool
    {
        return is_a($this->class, $interface, true);
    }

    /** @return list<string> extensions that this PHP does not have */
    public function missing(): array
    {
        return array_values(array_filter($this->extensions, static fn(string $name): bool => !\extension_loaded($name)));
    }

    /** The role decides it: replies of a floor are not checked, and what is not checked is a floor. */
    public function isChecked(): bool
    {
        return $this->role !== Role::Floor;
    }

    public function sheet(): Sheet
    {
        return new Sheet($this->id, $this->title, $this->role, $this->terms);
    }

    /** The same under another id: `memcached@2` on two servers, `apcu*2` with twice the workers, `memcached#2` for the A/A check. */
    public function as(string $id, ?int $instances = null, ?Role $role = null, ?int $times = null): self
    {
        $title = match (true) {
            $instances !== null => \sprintf('%s, %d servers', $this->title, $instances),
            $times !== null => \sprintf('%s, %d times the workers', $this->title, $times),
            $role === Role::Twin => $this->title . ' (the same again)',
            default => $this->title,
        };

        return new self($id, $title, $this->class, $this->make, $this->needs, $role ?? $this->role, $this->terms, $this->extensions, $instances ?? $this->instances, $this->shared, $this->ini, $times ?? $this->times);
    }
}
