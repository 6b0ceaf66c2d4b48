<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** What a row becomes by FETCH_CLASS, with columns of which some are its properties. */
#[\AllowDynamicProperties]
final class TwinRow
{
    public mixed $title = 'none';

    /** @var list<mixed> */
    public array $given;

    public function __construct(mixed ...$given)
    {
        $this->given = [...array_values($given), $this->title];
    }
}
