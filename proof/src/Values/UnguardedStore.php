<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Answer;
use Larder\Outcome;
use Larder\Proof\ForwardingStore;
use Larder\Store;

/**
 * The store of a writer whose gates do not close, or that does not check them: it always learns that they are closed.
 */
final class UnguardedStore extends ForwardingStore
{
    /** @var array<string, mixed> what the writer believes to have written */
    private array $closed = [];

    public function __construct(private readonly Store $real, private readonly MissingGuard $missing)
    {
        parent::__construct($real);
    }

    public function read(string $key): Answer
    {
        $answer = parent::read($key);
        if (str_starts_with($key, "\0w")) {
            return new Answer(true, 1);
        }

        return isset($this->closed[$key]) ? new Answer(true, $this->closed[$key], $answer->version) : $answer;
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $this->closed[$key] = $value;

        return $this->missing === MissingGuard::Close ? Outcome::Done : parent::add($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        if ($ttl === 0.0) {
            unset($this->closed[$key]);

            return $this->real->delete($key);
        }
        $this->closed[$key] = $value;

        return $this->missing === MissingGuard::Close ? Outcome::Done : parent::cas($key, $value, $version, $ttl);
    }
}
