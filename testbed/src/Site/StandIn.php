<?php

declare(strict_types=1);

namespace Larder\Testbed\Site;

use Larder\Page\Area;
use Larder\Page\Query;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\TemporaryDirectory;
use LogicException;

/** A site on real servers whose PHP says what it was told, and whose pages are laid down by hand. */
final readonly class StandIn
{
    public const GENERATION = 7;

    private const SCRIPT = <<<'PHP'
        <?php
        header('X-Answered-By: php');
        header('Cache-Control: no-store');
        http_response_code((int) ($_SERVER['HTTP_X_STATUS'] ?? 200));
        echo json_encode($_SERVER + ['body' => file_get_contents('php://input')]);
        PHP;

    public TemporaryDirectory $directory;
    public Site $site;
    public RunningSite $servers;
    public string $address;

    /**
     * @param list<Area>                             $areas
     * @param list<Query>                            $queries
     * @param list<non-empty-string>                 $passHeaders
     * @param array<string, string>                  $environment
     */
    public function __construct(
        array $areas = [],
        array $queries = [],
        array $passHeaders = [],
        array $environment = [],
        int $workers = 2,
    ) {
        $this->directory = new TemporaryDirectory();
        $path = $this->directory->path;
        file_put_contents($path . '/index.php', self::SCRIPT);
        mkdir($path . '/public/deep', recursive: true);
        file_put_contents($path . '/public/style.css', 'body { color: black }');
        file_put_contents($path . '/public/deep/note.txt', 'a note');
        file_put_contents($path . '/public/secret.php', '<?php echo "the secret";');
        file_put_contents($path . '/public/.env', 'the secret');
        $this->site = new Site(
            name: 'stand-in',
            hosts: ['news.example', '127.0.0.1', 'localhost'],
            pages: $path . '/pages',
            list: $path . '/list.php',
            controllers: [],
            connect: static fn() => throw new LogicException('No test here needs the database.'),
            urls: new Urls(areas: $areas, queries: $queries),
            visitors: new Visitors(sessionCookies: ['app_session'], passHeaders: $passHeaders),
            serving: new Serving(
                headers: [
                    'X-Content-Type-Options' => 'nosniff',
                    'Content-Security-Policy' => "default-src 'self'; style-src 'self'",
                ],
            ),
        );
        mkdir($path . '/pages/r/1', recursive: true);
        symlink('r/1', $path . '/pages/current');
        $this->servers = RunningSite::start(
            $this->site,
            $path . '/run',
            $path . '/index.php',
            $path . '/public',
            $workers,
            $environment,
        );
        $this->address = '127.0.0.1:' . $this->servers->port;
    }

    /** Lays down a page and its twin, as the page store would. */
    public function place(string $key, string $body): void
    {
        $file = $this->directory->path . '/pages/r/1' . $key . '~page';
        if (!is_dir(\dirname($file))) {
            mkdir(\dirname($file), recursive: true);
        }
        foreach ([$file => $body, $file . '.gz' => (string) gzencode($body)] as $path => $bytes) {
            file_put_contents($path, $bytes);
            touch($path, self::GENERATION);
        }
    }

    /** @return array<array-key, mixed> what PHP was told, as its response says */
    public static function told(Response $answer): array
    {
        $told = $answer->header('X-Answered-By') === 'php' ? json_decode($answer->body, true) : null;

        return \is_array($told)
            ? $told
            : throw ServerFailed::because("not PHP answers $answer->status " . substr($answer->body, 0, 200));
    }

    public function remove(): void
    {
        $this->servers->stop();
        $this->directory->remove();
    }
}
