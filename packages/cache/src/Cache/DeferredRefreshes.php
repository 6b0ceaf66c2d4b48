<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Throwable;

/**
 * Computes that wait until the response is with the client.
 *
 * @internal
 */
final class DeferredRefreshes
{
    /** @var list<array{string, Closure(): mixed}> each with its key */
    private array $refreshes = [];

    private bool $isRegistered = false;

    public function __construct(private readonly Tally $tally) {}

    /** @param Closure(): mixed $refresh */
    public function add(string $key, Closure $refresh): void
    {
        $this->refreshes[] = [$key, $refresh];
        if (!$this->isRegistered) {
            $this->isRegistered = true;
            // After all other functions of this kind: one of them may still add to the response.
            register_shutdown_function(fn() => register_shutdown_function($this->runAfterResponse(...)));
        }
    }

    public function run(): void
    {
        // A compute may defer another refresh.
        while ($this->refreshes !== []) {
            [$key, $refresh] = array_shift($this->refreshes);
            try {
                $refresh();
            } catch (Throwable $exception) {
                $this->tally->failed($key, $exception);
            }
        }
    }

    private function runAfterResponse(): void
    {
        if ($this->refreshes === []) {
            return;
        }
        if (\function_exists('session_status') && session_status() === PHP_SESSION_ACTIVE) {
            // The visitor's next request waits for the session's lock.
            session_write_close();
        }
        if (\function_exists('fastcgi_finish_request')) {
            // What a compute prints has no receiver any more, which must not end it.
            ignore_user_abort(true);
            fastcgi_finish_request();
        }
        $this->run();
    }
}
