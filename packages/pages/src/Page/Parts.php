<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Page\Exception\PartInPart;
use Larder\Page\Exception\UnknownPart;
use Larder\Sql\Tracker\RecordedReads;

/**
 * The parts of the page that is being made.
 *
 * A page with parts is a shell: it is kept with an SSI include in place of each part, and nginx puts the parts in. The
 * application writes no include itself. include() gives a mark that nobody can guess, which becomes the include once
 * the page is made; and every other `<!--#` in the page is written `<!-- #`. So no text of a visitor is ever a command.
 */
final class Parts
{
    /** Of a mark: of this page, and that it is this host's. */
    private ?string $secret = null;

    private ?RecordedReads $reads = null;

    /** The name of the part that is being made. */
    private ?string $made = null;

    /** @internal Pages makes it. */
    public function __construct(private readonly Site $site) {}

    /**
     * What stands in a page for a part. It is HTML: a template must not escape it.
     *
     * Keep it in no cache of your own: it is good for this page alone.
     *
     * @param string $name such as `box/latest`
     *
     * @throws UnknownPart if no Part of the site covers the name
     * @throws PartInPart  if a part asks for it
     */
    public function include(string $name): string
    {
        if ($this->made !== null) {
            throw PartInPart::named($name, $this->made);
        }
        if ($this->site->urls->part($name) === null) {
            throw UnknownPart::named($name);
        }

        return "<!--larder:{$this->secret()}:$name-->";
    }

    /**
     * To be called by what belongs to one visitor, such as the code that gives a CSRF token or the user. What is made
     * is then not stored, unless it is a private part.
     *
     * @param string $what for the reason that is told, such as `a CSRF token`
     */
    public function private(string $what): void
    {
        if ($this->made !== null && $this->site->urls->part($this->made)?->kind === PartKind::Private) {
            return;
        }
        $frames = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 3);
        $caller = ($frames[1]['class'] ?? '') . ($frames[1]['type'] ?? '') . ($frames[1]['function'] ?? 'the script');
        // By its file alone: visitors see the reason in Cache-Status.
        $place = \sprintf('%s:%d', basename($frames[1]['file'] ?? $frames[0]['file'] ?? '-'), $frames[1]['line'] ?? 0);
        $this->reads?->refuse(\sprintf('%s gave %s outside a private part, called at %s', $caller, $what, $place));
    }

    /**
     * Makes a page, and of its marks the includes.
     *
     * @internal for PageCache
     *
     * @param Closure(RecordedReads): Response $make
     */
    public function page(RecordedReads $reads, Closure $make): Response
    {
        return $this->shell($this->while($reads, null, $make), $reads);
    }

    /**
     * @internal for PageCache
     *
     * @param Closure(RecordedReads): Response $make
     */
    public function part(string $name, RecordedReads $reads, Closure $make): Response
    {
        return $this->while($reads, $name, $make);
    }

    /**
     * Puts the parts in as nginx does.
     *
     * @internal for PageCache
     *
     * @param Closure(string): string $body of a part, by its name
     */
    public function assembled(Response $shell, Closure $body): Response
    {
        return $shell->whole((string) preg_replace_callback(
            $this->live(),
            static fn(array $found): string => $body($found[1]),
            $shell->body,
        ));
    }

    /**
     * The parts of a shell.
     *
     * @internal for PageCache
     *
     * @return array<string, Part> by name
     */
    public function of(Response $shell): array
    {
        preg_match_all($this->live(), $shell->body, $found);
        $parts = [];
        foreach ($found[1] as $name) {
            $part = $this->site->urls->part($name);
            $parts += $part === null ? [] : [$name => $part];
        }

        return $parts;
    }

    /**
     * Whether a shell has parts that differ between visitors.
     *
     * @internal for PageCache
     */
    public function differ(Response $shell): bool
    {
        return array_filter($this->of($shell), static fn(Part $part): bool => $part->kind !== PartKind::ForAll) !== [];
    }

    /** @param Closure(RecordedReads): Response $make */
    private function while(RecordedReads $reads, ?string $part, Closure $make): Response
    {
        [$before, $outer] = [$this->reads, $this->made];
        [$this->reads, $this->made] = [$reads, $part];
        try {
            return $make($reads);
        } finally {
            [$this->reads, $this->made] = [$before, $outer];
        }
    }

    private function shell(Response $answer, RecordedReads $reads): Response
    {
        if (!str_contains($answer->body, '<!--larder:')) {
            return $answer;
        }
        $name = '(' . PartName::NAME . ')';
        $pieces = preg_split("~<!--larder:{$this->secret()}:$name-->~", $answer->body, flags: PREG_SPLIT_DELIM_CAPTURE);
        $shell = '';
        foreach ($pieces === false ? [] : $pieces as $number => $piece) {
            $shell .= $number % 2 === 0
                ? SsiText::withoutCommands($piece)
                : SsiText::include($this->site->include($piece));
        }
        preg_match_all('/<!--larder:([0-9a-f]{32})([0-9a-f]{32}):/', $shell, $others, PREG_SET_ORDER);
        foreach ($others as [, $page, $code]) {
            // A visitor may have written something like it, which keeps no page from being stored.
            if (hash_equals($this->codeOf($page) ?? $code, $code)) {
                $reads->refuse('it has the mark of a part from another page: a piece of HTML came from a cache');
            }
        }

        return \count((array) $pieces) === 1 ? $answer : $answer->shell(SsiText::closed($shell));
    }

    private function secret(): string
    {
        if ($this->secret === null) {
            $page = bin2hex(random_bytes(16));
            $this->secret = $page . ($this->codeOf($page) ?? bin2hex(random_bytes(16)));
        }

        return $this->secret;
    }

    /** @return string|null null: any may be right, since marks of other hosts come from a cache that they share */
    private function codeOf(string $page): ?string
    {
        $code = $this->site->storage->memcached === [] && $this->site->storage->open === null
            ? (new HostKey($this->site->pages))->code('part', $page)
            : null;

        return $code === null ? null : substr($code, 0, 32);
    }

    private function live(): string
    {
        return '%' . SsiText::LIVE . ' include virtual="' . preg_quote($this->site->urls->partUri(''), '%') . '('
            . PartName::NAME . ')' . ($this->site->storage->memcached === [] ? PagePath::SUFFIX : '') . '" -->%';
    }
}
