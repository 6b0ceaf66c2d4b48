<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Store;

/**
 * The leases that are given back if the program ends now.
 *
 * PHP forgets no function that it was told to call at shutdown, so that what such a function knows stays for ever in a
 * program that never ends. This one knows something only while it is needed. A weak reference would not do: after a
 * fatal error PHP takes all objects for destroyed.
 *
 * @internal
 */
final class AtShutdown
{
    /** Bytes that are kept for the shutdown of a process that has no memory left. */
    private const RESERVE = 65_536;

    /** @var array<int, array{Computation, int, Store}> of values being made, each with the process that took it */
    public array $held = [];

    private string $reserve;

    public function __construct()
    {
        $this->reserve = str_repeat("\0", self::RESERVE);
        register_shutdown_function($this->giveBack(...));
    }

    /** Gives back those that this process took, and not the one that it is a child of. */
    public function giveBack(): void
    {
        if ($this->reserve !== '') {
            $this->reserve = '';
        }
        $process = getmypid();
        foreach ($this->held as [$computation, $taker, $store]) {
            if ($taker !== $process) {
                continue;
            }
            $computation->local?->release();
            if ($computation->lease !== null) {
                $store->release($computation->storeKey, $computation->lease);
                $computation->lease = null;
            }
        }
        $this->held = [];
    }
}
