<?php

declare(strict_types=1);

namespace Larder\Edge;

use Larder\Edge\Exception\InvalidEdge;

/** By which headers an edge learns what it may keep, for how long, and by which keys it drops it. */
final readonly class EdgeHeaders
{
    /**
     * @param string $keys    `Surrogate-Key`, with spaces between the keys; `Cache-Tag`, with commas
     * @param string $control `Surrogate-Control`, or `CDN-Cache-Control` of RFC 9213
     * @param int    $seconds for which the edge may keep a page: after a purge that fails, or comes too early, an old
     *     one lives as long
     * @param int    $most    names of data that a page carries; a page made from more carries the names of tables
     *
     * @throws InvalidEdge
     */
    public function __construct(
        public string $keys = 'Surrogate-Key',
        public string $control = 'Surrogate-Control',
        public int $seconds = 3600,
        public int $most = 64,
    ) {
        foreach ([$keys, $control] as $name) {
            if (preg_match('/^[A-Za-z][A-Za-z0-9-]*$/D', $name) !== 1 || strcasecmp($name, 'Cache-Control') === 0) {
                throw InvalidEdge::because(\sprintf(
                    'edgeHeaders: "%s" is no header that only an edge reads; browsers obey Cache-Control',
                    $name,
                ));
            }
        }
        if (strcasecmp($keys, $control) === 0) {
            throw InvalidEdge::because('edgeHeaders: keys and control are two headers');
        }
        if ($seconds < 1 || $most < 1) {
            throw InvalidEdge::because('edgeHeaders: seconds and most must be above 0');
        }
    }

    /** Whether this is one of the two, which only Larder sets. */
    public function own(string $header): bool
    {
        return strcasecmp($header, $this->keys) === 0 || strcasecmp($header, $this->control) === 0;
    }

    /** What stands between two keys. */
    public function separator(): string
    {
        return strcasecmp($this->keys, 'Cache-Tag') === 0 ? ',' : ' ';
    }

    /** Whether a key of a page is one key to the edge. */
    public function takes(string $key): bool
    {
        return !str_contains($key, $this->separator());
    }

    /** The value of the header $control. */
    public function control(): string
    {
        return 'max-age=' . $this->seconds;
    }
}
