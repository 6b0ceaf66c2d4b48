<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Edge\EdgeHeaders;
use Larder\Edge\EdgeKeys;

/**
 * What tells an edge that it may keep a page: the keys of the page, and for how long. An answer that is no stored page
 * never has it, whatever the application says.
 *
 * @internal
 */
final readonly class EdgeMarks
{
    private EdgeHeaders $headers;

    private EdgeKeys $keys;

    /** @param Site $site with an edge: without one, nothing is marked */
    public function __construct(Site $site)
    {
        $this->headers = $site->serving->edgeHeaders();
        $this->keys = new EdgeKeys($site->name);
    }

    /**
     * Adds the marks. A page with a ttl gets none: it would live longer by its ttl at the edge.
     *
     * @param list<string> $names that it was made from
     */
    public function added(Response $answer, PagePath $page, array $names): Response
    {
        $key = PagePath::own($page->key);
        if ($page->bucket !== null || !$this->headers->takes($key)) {
            return $answer;
        }
        $keys = $this->keys->ofPage($key, $names, $this->headers->most);

        return $answer
            ->with($this->headers->keys, implode($this->headers->separator(), $keys))
            ->with($this->headers->control, $this->headers->control());
    }

    /** Takes the marks away, since this answer is no stored page. */
    public function removed(Response $answer): Response
    {
        $headers = array_filter(
            $answer->headers,
            fn(string $name): bool => !$this->headers->own($name),
            ARRAY_FILTER_USE_KEY,
        );

        return \count($headers) === \count($answer->headers)
            ? $answer
            : new Response($answer->status, $headers, $answer->body, $answer->isWhole, $answer->isStored);
    }

    /** Whether only Larder may set this header. */
    public function own(string $header): bool
    {
        return $this->headers->own($header);
    }
}
