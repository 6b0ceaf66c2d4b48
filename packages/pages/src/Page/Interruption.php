<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;

/** @internal Notices that the script ends inside a render: by exit() or by a fatal error, which run no `finally`. */
final class Interruption
{
    /** @var Closure(): void|null */
    private ?Closure $then = null;

    private bool $isRegistered = false;

    /**
     * @template T
     *
     * @param Closure(): T    $do
     * @param Closure(): void $then runs if the script ends inside $do; its output is sent afterwards
     *
     * @return T
     */
    public function during(Closure $do, Closure $then): mixed
    {
        $this->then = $then;
        if (!$this->isRegistered) {
            $this->isRegistered = true;
            register_shutdown_function(function (): void {
                if ($this->then !== null) {
                    ($this->then)();
                }
            });
        }
        try {
            return $do();
        } finally {
            $this->then = null;
        }
    }
}
