<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * Gives back the leases that are held if the program ends now; null: there are none.
 *
 * PHP forgets no function that it was told to call at shutdown, so that what such a function knows stays for ever in a
 * program that never ends. This one knows something only while it is needed. A weak reference would not do: after a
 * fatal error PHP takes all objects for destroyed.
 *
 * @internal
 */
final class AtShutdown
{
    public ?Leases $leases = null;

    public function __construct()
    {
        register_shutdown_function(function (): void {
            $leases = $this->leases;
            $this->leases = null;
            $leases?->giveBack();
        });
    }
}
