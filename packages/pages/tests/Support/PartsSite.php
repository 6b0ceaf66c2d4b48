<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Page\Area;
use Larder\Page\Context;
use Larder\Page\Contexts;
use Larder\Page\Limits;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Part;
use Larder\Page\PartKind;
use Larder\Page\PartName;
use Larder\Page\Parts;
use Larder\Page\Query;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Database;
use Psr\Log\AbstractLogger;
use RuntimeException;
use Stringable;

/**
 * A site in plain PHP whose pages have parts, over the database that `database.php` in its directory names. Each page
 * and part that is made is a line in `made`.
 *
 *     /news/4                     a title, and the parts box/latest, box/count/4 and login
 *     /shared/4                   a title and box/latest
 *     /plain/4                    a title
 *     /bare/4                     the title as it is, in several places, and box/latest
 *     /ask/WAY                    asks for what is a visitor's
 */
final readonly class PartsSite
{
    /** @param list<string> $memcached */
    public static function site(string $home, array $memcached = []): Site
    {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class, QuickController::class],
            connect: static function () use ($home): RecordingPdo {
                /** @var array{string, string|null, string|null} $database */
                $database = require $home . '/database.php';
                [$dsn, $user, $password] = $database;
                $connection = new RecordingPdo($dsn, self::registry(), user: $user, password: $password);
                if (str_starts_with($dsn, 'sqlite:')) {
                    $connection->exec('PRAGMA synchronous = OFF');
                    $connection->exec('PRAGMA busy_timeout = 5000');
                }

                return $connection;
            },
            urls: new Urls(
                areas: [
                    new Area('/quick', ttl: 10),
                    new Area('/open', ignoreCookies: true),
                    new Area('/text', 'text/plain; charset=utf-8'),
                ],
                queries: [new Query('/shared/[0-9]+', ['page' => '[1-9]'])],
                parts: [
                    new Part('box'),
                    new Part('timed', ttl: 10),
                    new Part('login', PartKind::Private),
                    new Part('menu', PartKind::ByContext),
                ],
            ),
            visitors: new Visitors(
                sessionCookies: ['sid'],
                contexts: new Contexts(['role' => ['member', 'editor']], $home . '/secrets', secure: false),
            ),
            limits: new Limits(waitMilliseconds: 100),
            operations: new Operations(code: []),
            storage: new Storage(memcached: $memcached, patience: 2_000),
            serving: new Serving(
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
        );
    }

    /** Says what database the site of this directory has. */
    public static function store(string $home, Database $database): void
    {
        $values = [$database->dsn, $database->user, $database->password];
        file_put_contents($home . '/database.php', '<?php return ' . var_export($values, true) . ';');
    }

    /** Else Larder learns of the columns some time after the first comment. */
    private static function registry(): Registry
    {
        $columns = ['id' => ColumnType::Integer, 'news_id' => ColumnType::Integer];

        return new Registry(new Table('comment', 'id', $columns, [['news_id']]));
    }

    /** The front controller. */
    public static function answer(Site $site): void
    {
        $home = \dirname($site->pages);
        $uri = $_SERVER['REQUEST_URI'] ?? '';
        $uri = \is_string($uri) ? $uri : '';
        $database = Pages::of($site)->connect();
        \assert($database instanceof RecordingPdo);
        $parts = Pages::of($site)->parts();
        $front = Pages::of($site)->plainFront(
            $database,
            self::log($home),
            $parts,
            static fn(string $name, Context $context) => self::part($home, $name, $database, $parts, $context),
        );
        $name = explode(PartName::PLACE, $uri)[1] ?? null;
        $isQuick = str_starts_with($uri, '/quick/') || str_starts_with((string) $name, 'timed/');
        $front->run(
            $isQuick ? QuickController::class : NewsController::class,
            $name === null
                ? static fn() => self::page($home, $uri, $database, $parts)
                : static fn(Context $context) => self::part($home, $name, $database, $parts, $context),
        );
    }

    private static function page(string $home, string $uri, RecordingPdo $database, Parts $parts): void
    {
        self::made($home, $uri);
        $path = str_replace(['/open/fails/', '/open/gone/'], ['/fails/', '/gone/'], explode('?', $uri)[0]);
        $words = explode('/', $path);
        $id = (int) end($words);
        $title = self::title($database, $id);
        $text = htmlspecialchars($title);
        if (preg_match('~^[@.]|\~~', $uri === '' ? '' : substr($uri, 1)) === 1) {
            http_response_code(404);
            echo 'none';

            return;
        }
        switch ($words[1]) {
            case 'plain':
                echo "<h1>$text</h1>";
                break;
            case 'shared':
            case 'quick':
            case 'text':
                if ($words[1] === 'text') {
                    header('Content-Type: text/plain; charset=utf-8');
                }
                echo "<h1>$text</h1>", $parts->include('box/latest');
                break;
            case 'bare':
                $box = $parts->include('box/latest');
                echo "<p title=\"$title\">$title</p><!-- $title --><script>t = \"$title\"</script>", $box, $title,
                '<!-',
                $box, "-#$title", '<!--', $box, '#', $title;
                break;
            case 'bare-part':
                echo $parts->include('box/bare/' . $id);
                break;
            case 'fails':
                echo 'before ', $parts->include('box/' . $words[2]), ' between ',
                $parts->include('box/latest'), ' after';
                break;
            case 'ask':
                if ($words[2] === 'session') {
                    session_start();
                } elseif ($words[2] === 'token') {
                    self::token($parts);
                } elseif ($words[2] === 'unknown') {
                    echo $parts->include('nobody');
                }
                echo 'asked', $parts->include('box/latest');
                break;
            case 'role':
                echo $parts->include('menu'), $parts->include('box/peek');
                break;
            case 'gone':
                http_response_code(404);
                echo 'gone', $parts->include('login');
                break;
            default:
                echo "<h1>$text</h1>", $parts->include('box/latest'), $parts->include('box/count/' . $id),
                $parts->include('login'), '<p>end</p>';
        }
    }

    private static function part(
        string $home,
        string $name,
        RecordingPdo $database,
        Parts $parts,
        Context $context,
    ): void {
        self::made($home, $name);
        $words = explode('/', $name);
        $id = (int) end($words);
        switch ($words[1] ?? $words[0]) {
            case 'menu':
            case 'peek':
                echo 'menu of ', $context->value('role') ?? 'nobody';
                break;
            case 'latest':
                $row = $database->select('SELECT title FROM news ORDER BY id DESC LIMIT 1')[0]['title'] ?? '';
                echo '<p>latest: ', htmlspecialchars((string) $row), '</p>';
                break;
            case 'count':
                $row = $database->select('SELECT COUNT(*) AS n FROM comment WHERE news_id = ?', [$id])[0]['n'] ?? 0;
                echo "<p>$row comments</p>";
                break;
            case 'login':
                $who = $_COOKIE['sid'] ?? 'nobody';
                setcookie('tried', 'yes');
                echo '<p>You are ', htmlspecialchars(\is_string($who) ? $who : ''), self::token($parts), '</p>';
                break;
            case 'cookie':
                // A process that makes the whole page has the visitor's environment.
                $cookie = isset($_SERVER['LARDER_PART']) && getenv('HTTP_COOKIE') !== false ? 'environment' : null;
                echo json_encode([$_COOKIE, $_SERVER['HTTP_USER_AGENT'] ?? null, $cookie]);
                break;
            case 'token':
                echo self::token($parts);
                break;
            case 'bare':
                echo self::title($database, $id);
                break;
            case 'nested':
                echo 'junk', $parts->include('box/latest');
                break;
            case 'throws':
                echo 'junk';
                throw new RuntimeException('It is broken.');
            case 'fatal':
                echo 'junk';
                trigger_error('It is broken.', E_USER_ERROR);
                // no break
            case 'refused':
                http_response_code(403);
                echo 'junk';
                break;
            case 'empty':
                $database->select('SELECT title FROM news WHERE id = 1');
                break;
        }
    }

    private static function token(Parts $parts): string
    {
        $parts->private('a CSRF token');

        return ' token';
    }

    private static function title(RecordingPdo $database, int $id): string
    {
        $title = $database->select('SELECT title FROM news WHERE id = ?', [$id])[0]['title'] ?? '';

        return \is_string($title) ? $title : '';
    }

    private static function made(string $home, string $what): void
    {
        file_put_contents($home . '/noted/made', $what . "\n", FILE_APPEND | LOCK_EX);
    }

    private static function log(string $home): AbstractLogger
    {
        return new class ($home) extends AbstractLogger {
            public function __construct(private readonly string $home) {}

            public function log(mixed $level, string|Stringable $message, array $context = []): void
            {
                $words = [];
                foreach ($context as $name => $value) {
                    $words['{' . $name . '}'] = \is_string($value) ? $value : '';
                }
                file_put_contents($this->home . '/noted/log', strtr((string) $message, $words) . "\n", FILE_APPEND);
            }
        };
    }
}
