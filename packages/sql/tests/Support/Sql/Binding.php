<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** How a statement gets its values. */
enum Binding: string
{
    /** As one text without parameters, by query() or exec(). */
    case Text = 'text';
    /** By execute(), which binds all as strings. */
    case Execute = 'execute';
    case BindValue = 'bindValue';
    /** By bindParam(), with variables that get their values later. */
    case BindParam = 'bindParam';
}
