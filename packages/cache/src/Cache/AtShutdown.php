<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;

/**
 * What is to be done if the program ends now; null: nothing.
 *
 * PHP forgets no function that it was told to call at shutdown, so that what such a function knows stays for ever in a
 * program that never ends. This one knows something only while it is needed. A weak reference would not do: after a
 * fatal error PHP takes all objects for destroyed.
 *
 * @internal
 */
final class AtShutdown
{
    /** @var (Closure(): void)|null */
    public ?Closure $then = null;

    public function __construct()
    {
        register_shutdown_function(function (): void {
            $then = $this->then;
            $this->then = null;
            if ($then !== null) {
                $then();
            }
        });
    }
}
