<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** The versions that names had before their data is read: from Cache::reading(), for Cache::set(). */
final readonly class Reading
{
    /**
     * @internal
     *
     * @param array<string, int>|null $stamps  version by name; null: what is read now may not be stored
     * @param Unstored|null           $why     it may not be stored; null: it may
     * @param string                  $refusal the same in words
     */
    public function __construct(
        /** @internal */
        public ?array $stamps,
        /** @internal */
        public ?Unstored $why = null,
        /** @internal */
        public string $refusal = '',
    ) {}
}
