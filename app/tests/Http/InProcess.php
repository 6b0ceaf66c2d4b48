<?php

declare(strict_types=1);

namespace App\Tests\Http;

use App\Application;
use App\Configuration;
use App\Http\Kernel;
use App\Tests\ChosenDatabase;
use Larder\Page\Pages;
use Larder\Testbed\Server\Database;
use Larder\Testbed\TemporaryDirectory;
use Nyholm\Psr7\ServerRequest;
use PDO;
use Psr\Http\Message\ResponseInterface;

/**
 * The whole site in this process, over its own database. No page is kept unless a request has a key.
 */
final readonly class InProcess
{
    public PDO $database;
    public Configuration $configuration;
    private TemporaryDirectory $directory;
    private Database $server;
    private Kernel $kernel;

    public function __construct(bool $cache = false)
    {
        $this->directory = new TemporaryDirectory();
        $this->server = ChosenDatabase::start($this->directory->path . '/data');
        $this->configuration = new Configuration([
            ...$this->server->environment(),
            'APP_VAR' => $this->directory->path,
            'APP_BASE_URL' => 'http://pantry.example',
            'APP_CACHE' => $cache ? 'on' : 'off',
        ]);
        $this->database = $this->server->connect();
        Pages::of($this->configuration->site())->deploy();
        $this->kernel = Application::kernel($this->configuration);
    }

    public function remove(): void
    {
        $this->server->stop();
        $this->directory->remove();
    }

    /** @param array<string, string> $row over one that will do */
    public function item(array $row = []): int
    {
        $row += [
            'title' => 'jar: of glass',
            'summary' => 'A summary.',
            'body' => 'A body.',
            'category' => 'glass',
            'author' => 'Ann',
        ];
        $this->database->prepare(
            'INSERT INTO news (title, summary, body, category, author) VALUES (:title, :summary, :body, :category, '
                . ':author)',
        )->execute($row);

        return (int) $this->database->lastInsertId();
    }

    public function comment(int $item, string $text, string $author = 'Bo'): void
    {
        $this->database->prepare(
            "INSERT INTO comment (news_id, author, text, created_at) VALUES (?, ?, ?, '2026-01-02 03:04:05')",
        )->execute([$item, $author, $text]);
    }

    /** @return list<array<string, scalar|null>> */
    public function rows(string $sql): array
    {
        $statement = $this->database->query($sql);
        \assert($statement !== false);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }

    /** @param string $key that nginx would have handed over */
    public function get(string $uri, string $method = 'GET', string $key = ''): ResponseInterface
    {
        $query = [];
        parse_str((string) parse_url($uri, PHP_URL_QUERY), $query);

        return $this->kernel->handle(
            (new ServerRequest(
                $method,
                'http://localhost' . $uri,
                serverParams: ['REQUEST_METHOD' => $method, 'LARDER_PAGE' => $key],
            ))->withQueryParams(
                $query,
            ),
        );
    }

    /**
     * @param array<string, string|list<string>> $fields
     * @param array<string, string>              $headers
     */
    public function post(string $uri, array $fields, array $headers = []): ResponseInterface
    {
        return $this->kernel->handle(
            (new ServerRequest(
                'POST',
                'http://localhost' . $uri,
                $headers,
                serverParams: ['REQUEST_METHOD' => 'POST'],
            ))->withParsedBody(
                $fields,
            ),
        );
    }
}
