<?php

declare(strict_types=1);

namespace App;

use Larder\Dependency\{ColumnType, Registry, Table};

/** The names that Larder knows of the site's tables and columns; sql/schema.sql creates them. */
final readonly class Schema
{
    public static function registry(): Registry
    {
        return new Registry(
            new Table('news', 'id', ['id' => ColumnType::Integer, 'category' => ColumnType::Text], [['category']]),
            new Table('comment', 'id', ['id' => ColumnType::Integer, 'news_id' => ColumnType::Integer], [['news_id']]),
            new Table(
                'word',
                'id',
                ['id' => ColumnType::Integer, 'word' => ColumnType::Text, 'news_id' => ColumnType::Integer],
                [['word'], ['news_id']],
            ),
        );
    }
}
