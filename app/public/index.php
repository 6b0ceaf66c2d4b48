<?php

declare(strict_types=1);

use App\Application;
use App\Configuration;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7Server\ServerRequestCreator;

require __DIR__ . '/../../vendor/autoload.php';

$factory = new Psr17Factory();
$request = (new ServerRequestCreator($factory, $factory, $factory, $factory))->fromGlobals();
$response = Application::kernel(new Configuration($_SERVER + getenv()))->handle($request);

http_response_code($response->getStatusCode());
foreach ($response->getHeaders() as $name => $values) {
    foreach ($values as $value) {
        header($name . ': ' . $value, false);
    }
}
if ($request->getMethod() !== 'HEAD') {
    echo $response->getBody();
}
