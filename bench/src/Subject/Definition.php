<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Closure;
use Larder\Bench\Result\Role;
use Larder\Bench\Result\Sheet;
use Larder\Bench\Server\Kind;

/** A subject in the Catalogue: its stable id, how to make it, what it needs, and its fairness sheet. */
final readonly class Definition
{
    /**
     * @param string                          $id         stable: results are compared by it
     * @param class-string<Subject> $class of what `make` returns; its interfaces say what the subject can do
     * @param Closure(): Subject              $make       a new one, not connected
     * @param array<string, string> $terms the fairness sheet: persistent, protocol, nodelay, compression, serializer,
     *     time-outs
     * @param list<string>                    $extensions PHP extensions without which it is absent
     * @param int                             $instances  servers that it uses; `id@2` makes it 2
     * @param bool $shared whether the next window's processes find what one process set (a server, a file); false: each
     *     window fills it before its workers fork (APCu)
     * @param array<string, string>           $ini        php.ini values of the processes that measure it
     * @param int $times workers of it for each worker that a chart names; `id*2` makes it 2
     * @param bool $exact it promises never to hand out what was made before the last change that was acknowledged: one
     *     such reply voids its cell
     * @param bool $copies each of several servers holds all data, and a worker uses one of them
     * @param list<class-string<Subject>>|null $only the interfaces that it takes part with; null: all that its class
     *     has
     * @param array<string, string> $modules PHP modules that its processes load in place of those installed: the file
     *     of each, by name
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
        public bool $exact = false,
        public bool $copies = false,
        public ?array $only = null,
        public array $modules = [],
    ) {}

    /** @param class-string $interface */
    public function can(string $interface): bool
    {
        foreach ($this->only ?? [$this->class] as $able) {
            if (is_a($able, $interface, true)) {
                return is_a($this->class, $interface, true);
            }
        }

        return false;
    }

    /** @return list<string> extensions that this PHP does not have, and files of modules that are not there */
    public function missing(): array
    {
        return [
            ...array_values(array_filter(
                $this->extensions,
                static fn(string $name): bool => !\extension_loaded($name),
            )),
            ...array_values(array_filter($this->modules, static fn(string $file): bool => !is_file($file))),
        ];
    }

    /** The role decides it: replies of a floor are not checked, and what is not checked is a floor. */
    public function isChecked(): bool
    {
        return $this->role->isChecked();
    }

    public function sheet(): Sheet
    {
        return new Sheet($this->id, $this->title, $this->role, $this->terms);
    }

    /**
     * The same under another id: `memcached@2` on two servers, `apcu*2` with twice the workers, `memcached#2` for the
     * A/A check.
     */
    public function as(string $id, ?int $instances = null, ?Role $role = null, ?int $times = null): self
    {
        $title = match (true) {
            $instances !== null => \sprintf('%s, %d servers', $this->title, $instances),
            $times !== null => \sprintf('%s, %d times the workers', $this->title, $times),
            $role === Role::Twin => $this->title . ' (the same again)',
            default => $this->title,
        };

        return $this->with($id, $title, role: $role, instances: $instances, times: $times);
    }

    /**
     * The same with another id and title, and with what else is given here.
     *
     * @param class-string<Subject>|null           $class
     * @param (Closure(): Subject)|null            $make
     * @param array<string, string>|null           $terms
     * @param list<string>|null                    $extensions
     * @param array<string, string>|null           $ini
     * @param list<class-string<Subject>>|null     $only
     */
    public function with(
        string $id,
        string $title,
        ?string $class = null,
        ?Closure $make = null,
        ?Role $role = null,
        ?array $terms = null,
        ?array $extensions = null,
        ?int $instances = null,
        ?array $ini = null,
        ?int $times = null,
        ?array $only = null,
    ): self {
        return new self(
            $id,
            $title,
            $class ?? $this->class,
            $make ?? $this->make,
            $this->needs,
            $role ?? $this->role,
            $terms ?? $this->terms,
            $extensions ?? $this->extensions,
            $instances ?? $this->instances,
            $this->shared,
            $ini ?? $this->ini,
            $times ?? $this->times,
            $this->exact,
            $this->copies,
            // Another class has other interfaces.
            $only ?? ($class === null ? $this->only : null),
            $this->modules,
        );
    }
}
