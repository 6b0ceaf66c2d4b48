<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

/** @internal One check of `larder doctor`, with what to do about what it found. */
final readonly class Check
{
    /**
     * @param string                  $name   what holds when all is well; part of the interface
     * @param 'ok'|'remark'|'failed'  $state
     * @param string|null             $remedy what was found and what to do; null: nothing
     */
    private function __construct(
        public string $name,
        public string $state,
        public ?string $remedy = null,
    ) {}

    public static function that(string $name, bool $holds, string $remedy): self
    {
        return $holds ? self::ok($name) : self::failed($name, $remedy);
    }

    public static function ok(string $name, ?string $found = null): self
    {
        return new self($name, 'ok', $found);
    }

    public static function failed(string $name, string $remedy): self
    {
        return new self($name, 'failed', rtrim($remedy, '.'));
    }

    /** Something that is no fault by itself, or could not be looked at. */
    public static function remark(string $name, string $remedy): self
    {
        return new self($name, 'remark', rtrim($remedy, '.'));
    }

    public function line(): string
    {
        return \sprintf('%-6s  %s', $this->state, $this->name) . ($this->remedy === null ? '' : ': ' . $this->remedy);
    }

    /** @return array{check: string, state: string, remedy: string|null} */
    public function values(): array
    {
        return ['check' => $this->name, 'state' => $this->state, 'remedy' => $this->remedy];
    }
}
