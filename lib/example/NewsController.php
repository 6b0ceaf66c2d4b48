<?php

declare(strict_types=1);

use Larder\Dependency\RecordingPdo;
use Larder\Page\Attribute\Reads;

#[Reads('news')]
final readonly class NewsController
{
    public function __construct(private RecordingPdo $database) {}

    public function show(int $id): string
    {
        $item = $this->database->select('SELECT title, category FROM news WHERE id = ?', [$id])[0] ?? null;
        if ($item === null) {
            http_response_code(404);

            return 'There is no such news.';
        }
        $others = $this->database->select(
            'SELECT id, title FROM news WHERE category = ? ORDER BY id DESC LIMIT 5',
            [$item['category']],
        );

        $title = htmlspecialchars((string) $item['title']);

        return "<h1>$title</h1>" . \count($others) . ' in this category';
    }
}
