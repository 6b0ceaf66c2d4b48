<?php

declare(strict_types=1);

use App\Configuration;
use App\Http\FrontController;
use App\Tests\Site\Traps;

require __DIR__ . '/../../../vendor/autoload.php';

(new FrontController(Traps::kernel(new Configuration($_SERVER + getenv()))))->run();
