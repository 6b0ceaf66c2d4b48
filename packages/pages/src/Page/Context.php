<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;

/**
 * The context of the visitor whom something is made for: what nginx found in a cookie that Contexts signed.
 *
 * A part by context may read it, since its key has it. A page that reads it is sent to this visitor and not stored.
 */
final readonly class Context
{
    /** FastCGI parameter. Nothing that a client sends has this name: headers come as HTTP_…. */
    public const PARAMETER = 'LARDER_CONTEXT';

    /**
     * @internal
     *
     * @param string                       $text as Contexts::text() writes it
     * @param (Closure(string): void)|null $read gets the call by which it was read; null: the key has the context
     */
    public function __construct(
        private string $text,
        private ?Closure $read = null,
    ) {}

    /** @return string|null the value of a dimension; null: it has none, as nothing has for an anonymous visitor */
    public function value(string $dimension): ?string
    {
        $this->tell("value('$dimension')");
        foreach ($this->text === '' ? [] : explode('.', $this->text) as $word) {
            [$name, $value] = explode(':', $word, 2) + [1 => ''];
            if ($name === $dimension) {
                return $value;
            }
        }

        return null;
    }

    /** @return string `language:de.role:editor`; empty: anonymous */
    public function text(): string
    {
        $this->tell('text()');

        return $this->text;
    }

    public function isAnonymous(): bool
    {
        $this->tell('isAnonymous()');

        return $this->text === '';
    }

    /** Names the caller by its file alone: a path is nothing for visitors, who see the reason in Cache-Status. */
    private function tell(string $call): void
    {
        if ($this->read !== null) {
            $at = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 2)[1] ?? [];
            $place = isset($at['file'], $at['line']) ? \sprintf(' at %s:%d', basename($at['file']), $at['line']) : '';
            ($this->read)("Context::$call$place");
        }
    }
}
