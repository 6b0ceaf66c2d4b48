<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * A piece of a page with reads, policy and life of its own, put in by nginx. Urls::$parts lists them by prefix.
 *
 * The prefix covers itself and everything below it: `box` covers `box` and `box/latest`, not `boxes`.
 */
final readonly class Part
{
    /** What the parts share with the pages of an area: content type and ttl. */
    public Area $area;

    /**
     * @param string   $prefix such as `box` or `box/latest`, without `/` at its ends
     * @param int|null $ttl    seconds, one of Area::TTLS, for the policy ttl; null: policy exact
     *
     * @throws InvalidSite if the prefix cannot be a part's name, or a private part has a ttl
     */
    public function __construct(
        public string $prefix,
        public PartKind $kind = PartKind::ForAll,
        ?int $ttl = null,
    ) {
        if (!PartName::isCanonical($prefix)) {
            throw InvalidSite::because(\sprintf('parts: "%s" is not a name such as "box" or "box/latest"', $prefix));
        }
        if ($kind === PartKind::Private && $ttl !== null) {
            throw InvalidSite::because(\sprintf('part %s: it is private, so it is not kept and has no ttl', $prefix));
        }
        $this->area = new Area('/' . $prefix, ttl: $ttl);
    }

    public function covers(string $name): bool
    {
        return $name === $this->prefix || str_starts_with($name, $this->prefix . '/');
    }
}
