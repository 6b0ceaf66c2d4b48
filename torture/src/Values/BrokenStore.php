<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Torture\Lease\ForwardingStore;
use Larder\Answer;
use Larder\Outcome;
use Larder\Store;

/** The store as a writer sees it whose gates do not close, or who does not look whether they are: it is told that all is well. */
final class BrokenStore extends ForwardingStore
{
    /** @var array<string, mixed> what it believes to have written */
    private array $closed = [];

    public function __construct(private readonly Store $real, private readonly Broken $broken)
    {
        parent::__construct($real);
    }

    public function read(string $key): Answer
    {
        $answer = parent::read($key);

        return isset($this->closed[$key]) ? new Answer(true, $this->closed[$key], $answer->version) : $answer;
    }

    public function has(string $key): bool
    {
        return true;
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $this->closed[$key] = $value;

        return $this->broken === Broken::Close ? Outcome::Done : parent::add($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        if ($ttl === 0.0) {
            unset($this->closed[$key]);

            return $this->real->delete($key);
        }
        $this->closed[$key] = $value;

        return $this->broken === Broken::Close ? Outcome::Done : parent::cas($key, $value, $version, $ttl);
    }
}
