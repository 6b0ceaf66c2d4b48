<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Pages;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Page;

/** A page of the site's server, by its name: "static", "hit", "include-10". */
final class SitePage implements Page
{
    /** @var array<string, string> addresses by name */
    private array $urls = [];

    /**
     * @param string                $name    in Endpoint::$extra; with `-38` behind it for the one of 38 KB
     * @param array<string, string> $headers that every reply has, which nothing but this way of making the page sets
     */
    public function __construct(
        private readonly string $name,
        public readonly array $headers = [],
    ) {}

    public function connect(Context $context): void
    {
        $this->urls = ($context->endpoints[0] ?? throw Failed::connecting($this->name, 'no site was started'))->extra;
        $this->url();
    }

    public function url(): string
    {
        if ($this->urls === []) {
            throw Failed::connecting($this->name, 'no site was started');
        }

        return $this->urls[$this->name] ?? throw new NotApplicable('the site has no page of this kind');
    }

    /** Null: the site has no page of that size. */
    public function sized(int $kilobytes): ?string
    {
        return $this->urls[$this->name . '-' . $kilobytes] ?? null;
    }

    /** The same bytes by the application itself, without any cache; null: the server says nothing of it. */
    public function original(?int $kilobytes = null): ?string
    {
        return $this->urls['uncached' . ($kilobytes === null ? '' : '-' . $kilobytes)] ?? null;
    }

    public function close(): void
    {
        $this->urls = [];
    }
}
