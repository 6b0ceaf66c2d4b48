<?php

declare(strict_types=1);

use App\{Application, Configuration};
use App\Http\FrontController;

require __DIR__ . '/../../vendor/autoload.php';

(new FrontController(Application::kernel(new Configuration($_SERVER + getenv()))))->run();
