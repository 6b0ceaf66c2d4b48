<?php

declare(strict_types=1);

use Larder\Page\Middleware;
use Larder\Page\Pages;
use Larder\Proof\Support\NewsController;
use Larder\Proof\Support\NewsSite;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7\Response;
use Nyholm\Psr7\ServerRequest;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

// A front controller in plain PHP. The last word of the path says in what way it sends its page.
require __DIR__ . '/../../vendor/autoload.php';

$uri = $_SERVER['REQUEST_URI'] ?? '';
$way = basename((string) parse_url(is_string($uri) ? $uri : '', PHP_URL_PATH));
$site = NewsSite::describe((string) getenv('NEWS_DIRECTORY'));
if (str_ends_with($way, 'before')) {
    echo 'BEFORE ';
}
if (str_starts_with($way, 'psr')) {
    $factory = new Psr17Factory();
    $request = (new ServerRequest('GET', '/', serverParams: $_SERVER))
        ->withAttribute(Middleware::CONTROLLER, NewsController::class);
    $response = Pages::of($site)->middleware(Pages::of($site)->connect(), $factory, $factory)->process(
        $request,
        new class ($way) implements RequestHandlerInterface {
            public function __construct(private string $way) {}

            public function handle(ServerRequestInterface $request): ResponseInterface
            {
                if ($this->way === 'psr-flush') {
                    echo 'HEAD ';
                    ob_flush();
                }
                $body = $this->way === 'psr-flush' ? 'TAIL' : 'HEAD TAIL';

                return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $body);
            }
        },
    );
    foreach (headers_sent() ? [] : $response->getHeaders() as $name => $values) {
        header($name . ': ' . implode(', ', $values));
    }
    echo $response->getBody();

    return;
}
$show = static function () use ($way): void {
    echo 'HEAD ';
    switch ($way) {
        case 'flush':
            ob_flush();
            flush();
            break;
        case 'end':
            ob_end_flush();
            flush();
            break;
        case 'restart':
            ob_end_flush();
            ob_start();
            break;
        case 'end-all':
            while (ob_get_level() > 0) {
                ob_end_flush();
            }
            break;
        case 'get':
            echo ob_get_clean();
            break;
        case 'inner':
            ob_start();
            echo 'INNER ';
            ob_flush();
            ob_end_flush();
            break;
        case 'late':
            register_shutdown_function(static function (): void {
                echo ' LATE';
            });
            break;
        case 'finish':
            fastcgi_finish_request();
            break;
        case 'exit':
            exit;
        case 'environment':
            ob_clean();
            echo json_encode(['server' => $_SERVER + $_ENV, 'process' => getenv()], JSON_THROW_ON_ERROR);

            return;
    }
    echo 'TAIL';
};
Pages::of($site)->plainFront(Pages::of($site)->connect())->run(NewsController::class, $show);
if ($way === 'after') {
    echo ' AFTER';
}
