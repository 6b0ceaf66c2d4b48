<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;

/**
 * Runs what nobody has to wait for: at the end of the script, when php-fpm has sent the answer.
 *
 * @internal
 */
final class AfterAnswer
{
    /** @var list<Closure(): void> */
    private array $todo = [];

    /** @param Closure(): mixed $send sends all that was echoed, and ends the answer */
    public function __construct(private readonly Closure $send) {}

    /** @return self|null null: this kind of PHP cannot end an answer before the script */
    public static function ofPhpFpm(): ?self
    {
        return \PHP_SAPI === 'fpm-fcgi' && \function_exists('fastcgi_finish_request')
            ? new self(fastcgi_finish_request(...))
            : null;
    }

    /** @param Closure(): void $do whose output nobody gets */
    public function run(Closure $do): void
    {
        if ($this->todo === []) {
            // The second time puts it behind what the application registers until then, which may still echo.
            register_shutdown_function(fn() => register_shutdown_function($this->end(...)));
        }
        $this->todo[] = $do;
    }

    private function end(): void
    {
        ($this->send)();
        [$todo, $this->todo] = [$this->todo, []];
        foreach ($todo as $do) {
            $do();
        }
    }
}
