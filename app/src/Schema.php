<?php

declare(strict_types=1);

namespace App;

use Larder\Dependency\ColumnType;
use Larder\Dependency\Registry;
use Larder\Dependency\Table;

/** What the site's tables are called, and by which columns they may be asked for; sql/schema.sql creates them. */
final readonly class Schema
{
    public static function registry(): Registry
    {
        return new Registry(
            new Table('news', 'id', ['id' => ColumnType::Integer, 'category' => ColumnType::Text], [['category']]),
            new Table('comment', 'id', ['id' => ColumnType::Integer, 'news_id' => ColumnType::Integer], [['news_id']]),
            new Table('word', 'id', ['id' => ColumnType::Integer, 'word' => ColumnType::Text, 'news_id' => ColumnType::Integer], [['word'], ['news_id']]),
        );
    }
}
