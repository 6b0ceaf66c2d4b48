<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

/** What rows of news are fetched as: it says what it had when it was constructed. */
final class FetchedNews
{
    public int $id = 0;
    public ?string $title = null;
    public string $had = '';

    public function __construct(public string $given, public ?string $category = 'none')
    {
        $this->had = "$this->id $this->title";
    }
}
